package io.gpusched.server.policy;

import io.gpusched.core.model.PolicyCause;
import io.gpusched.server.config.PolicyRules;
import io.gpusched.sim.whatif.MeanInterval;
import io.gpusched.sim.whatif.PairedDifferences;
import io.gpusched.sim.whatif.ShadowVerdict;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/// The rules by which the scheduler changes its policy without being asked.
///
/// It falls back when the policy in force is not the fallback policy, and decisions are late,
/// rankings are invalid, or the fallback policy is better in the shadow. It promotes the shadow
/// policy when that is better for long enough, but not for a while after a fallback, so that two
/// policies do not alternate.
///
/// Each look at an interval could be wrong in one case of twenty, and the guard looks every second.
/// So a single look never decides: the verdict must be the same without interruption for a time.
///
/// Several threads may call it. Time is a parameter.
public final class PolicyGuard {
    /// A change that the rules ask for.
    public record Change(String policy, String reason, PolicyCause cause) {}

    /// The shadow's comparison.
    ///
    /// @param policy the shadow policy; empty if there is none
    /// @param differences null before the first comparison
    public record Shadow(String policy, @Nullable PairedDifferences differences) {
        public static final Shadow NONE = new Shadow("", null);
    }

    private final PolicyRules rules;
    private String inForce = "";
    private String shadowPolicy = "";
    private long lateInARow;
    private boolean tooLate;
    private Duration longest = Duration.ZERO;
    private long invalid;
    private @Nullable Instant betterSince;

    public PolicyGuard(PolicyRules rules) {
        this.rules = rules;
    }

    /// Notes how long a cycle took. A quick cycle without inputs shows nothing, so it does not end
    /// a row of late ones. A row that is long enough counts, even if it ends before the next check.
    public synchronized void cycleTook(int inputs, Duration time) {
        if (time.compareTo(rules.fallback().cycleBudget()) > 0) {
            lateInARow++;
            longest = time.compareTo(longest) > 0 ? time : longest;
            tooLate |= lateInARow >= rules.fallback().lateCycles();
        } else if (inputs > 0 && !tooLate) {
            lateInARow = 0;
            longest = Duration.ZERO;
        }
    }

    /// Notes how many rankings of a cycle were invalid.
    public synchronized void rankedInvalidly(long rankings) {
        invalid += rankings;
    }

    /// Notes which policy is in force. Everything noted about an earlier one is forgotten.
    public synchronized void inForce(String policy) {
        if (!policy.equals(inForce)) {
            inForce = policy;
            lateInARow = 0;
            tooLate = false;
            longest = Duration.ZERO;
            invalid = 0;
            betterSince = null;
        }
    }

    /// What the rules ask for now; null if nothing.
    public synchronized @Nullable Change check(
            Instant now, PolicyInForce.Status status, Shadow shadow) {
        inForce(status.policy());
        noteVerdict(now, shadow);
        Change fallback = fallback(now, status, shadow);
        return fallback == null ? promotion(now, status, shadow) : fallback;
    }

    private void noteVerdict(Instant now, Shadow shadow) {
        boolean same = shadow.policy.equals(shadowPolicy);
        shadowPolicy = shadow.policy;
        MeanInterval interval = interval(shadow);
        if (!same || interval == null || interval.verdict() != ShadowVerdict.BETTER) {
            betterSince = null;
        }
        if (betterSince == null && interval != null && interval.verdict() == ShadowVerdict.BETTER) {
            betterSince = now;
        }
    }

    private @Nullable MeanInterval interval(Shadow shadow) {
        return shadow.differences == null ? null : shadow.differences.of(rules.objective());
    }

    private @Nullable Change fallback(Instant now, PolicyInForce.Status status, Shadow shadow) {
        PolicyRules.Fallback limits = rules.fallback();
        String to = limits.policyFor(status.configured());
        if (!limits.enabled() || status.policy().equals(to)) {
            return null;
        }
        if (tooLate) {
            return new Change(
                    to,
                    "decisions of %s are late: %d in a row took more than %d ms, the longest %d ms"
                            .formatted(
                                    status.policy(),
                                    lateInARow,
                                    limits.cycleBudget().toMillis(),
                                    longest.toMillis()),
                    PolicyCause.FALLBACK);
        }
        if (invalid >= limits.invalidRankings()) {
            return new Change(
                    to,
                    "%s ranked jobs invalidly %d %s"
                            .formatted(status.policy(), invalid, invalid == 1 ? "time" : "times"),
                    PolicyCause.FALLBACK);
        }
        return limits.watchesObjective()
                        && shadow.policy.equals(to)
                        && isBetter(now, shadow, limits.minJobs(), limits.minTime())
                ? new Change(to, comparison(status.policy(), shadow), PolicyCause.FALLBACK)
                : null;
    }

    private @Nullable Change promotion(Instant now, PolicyInForce.Status status, Shadow shadow) {
        PolicyRules.Promotion limits = rules.promotion();
        Instant last = status.lastFallback();
        boolean pauses = last != null && now.isBefore(last.plus(limits.pause()));
        return limits.enabled()
                        && !pauses
                        && !shadow.policy.isEmpty()
                        && !shadow.policy.equals(status.policy())
                        && isBetter(now, shadow, limits.minJobs(), limits.minTime())
                ? new Change(
                        shadow.policy, comparison(status.policy(), shadow), PolicyCause.PROMOTION)
                : null;
    }

    private boolean isBetter(Instant now, Shadow shadow, long jobs, Duration time) {
        MeanInterval interval = interval(shadow);
        return betterSince != null
                && interval != null
                && interval.jobs() >= jobs
                && !now.isBefore(betterSince.plus(time));
    }

    /// `mean wait under priority is lower than under learned by 12.3 s (95 % interval 8.1 to 16.5,
    /// 731 jobs)`.
    private String comparison(String than, Shadow shadow) {
        MeanInterval interval = interval(shadow);
        return interval == null ? "" : comparison(rules.objective(), shadow.policy, than, interval);
    }

    /// A sentence about a difference between the shadow policy and the policy in force.
    static String comparison(
            PairedDifferences.Objective objective,
            String shadow,
            String live,
            MeanInterval interval) {
        boolean lower = interval.mean() <= 0;
        double sign = lower ? -1 : 1;
        double from = Math.min(sign * interval.low(), sign * interval.high());
        double to = Math.max(sign * interval.low(), sign * interval.high());
        return String.format(
                Locale.ROOT,
                "mean %s under %s is %s than under %s by %.2f%s (95 %% interval %.2f to %.2f, %d"
                        + " jobs)",
                objective.name().toLowerCase(Locale.ROOT),
                shadow,
                lower ? "lower" : "higher",
                live,
                Math.abs(interval.mean()),
                objective == PairedDifferences.Objective.SLOWDOWN ? "" : " s",
                from,
                to,
                interval.jobs());
    }
}
