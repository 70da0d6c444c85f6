package io.gpusched.core.scale;

import io.gpusched.core.pool.LoadCount;
import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.LoadInterval;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.Slo;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/// Plans the fewest replicas that keep the SLO when a replica that is started now would be ready.
///
///     reports ──▶ ServiceModel: how fast a replica works ─┐
///             ──▶ Demand: forecast and past surprises ────┴▶ FluidPool: requests that would miss
///
/// The SLO allows a fraction of requests to miss; that is the budget. It counts over an hour: after
/// more misses than allowed the plan allows fewer, and the other way round. The size grows when it
/// would miss more than the budget even if the demand were 5 % lower, and shrinks when the smaller
/// size would keep the budget even if the demand were 5 % higher. So noise of that size changes
/// nothing. Replicas that answer fewer requests than the model allows have a [ThroughputLimit].
final class SloScaler implements Scaler {
    /// Errors of the demand that must not change the size.
    private static final double NOISE = 0.05;

    /// Without an SLO: two seconds to the first token, for 99 of 100 requests.
    private static final double USUAL_FIRST_TOKEN = 2;

    private static final double USUAL_BUDGET = 0.01;

    private static final double LEAST_BUDGET = 0.001;

    /// The planned misses are at least and at most so many times the budget.
    private static final double FRUGAL = 0.5;

    private static final double GENEROUS = 0.8;

    /// What was attained counts from so many answers on.
    private static final long ENOUGH = 200;

    /// The tokens of an answer before any was seen, and for how many answers that counts.
    private static final double USUAL_OUTPUT = 200;

    private static final double USUAL_ANSWERS = 5;

    /// Intervals in which answers count for their length: ten minutes.
    private static final int RECENT = 120;

    /// The fewest intervals to shrink with: two minutes.
    private static final int SHRINK = 24;

    /// The fewest intervals to plan with.
    private static final int FEWEST = 2;

    @Override
    public String name() {
        return "slo";
    }

    @Override
    public Recommendation recommend(PoolSignals signals) {
        Pool pool = signals.pool();
        if (isIdle(signals)) {
            return new Recommendation(
                    0,
                    "slo: idle",
                    signals.load().lastRequest() == null
                            ? "no request came yet"
                            : Reason.text(
                                    "no request for %ds", pool.scaling().cooldown().toSeconds()));
        }
        List<LoadInterval> history = complete(signals);
        if (history.size() < FEWEST) {
            int kept = Math.max(signals.desired(), 1);
            return new Recommendation(
                    kept, "slo: too little is known", "fewer than 10 s of load were reported");
        }
        Recommendation found = new Plan(signals, history, signals.loadTime()).recommend();
        int missing = signals.missing(found.replicas());
        return missing == 0 ? found : placed(signals, history, found, missing);
    }

    /// Says when the missing replicas can be placed, and plans for the time when they are ready.
    private static Recommendation placed(
            PoolSignals signals, List<LoadInterval> history, Recommendation found, int missing) {
        ComingCapacity coming = signals.capacity().apply(missing);
        if (coming.now() >= coming.missing()) {
            return found;
        }
        Instant last = coming.last();
        Duration wait = last == null ? Duration.ZERO : Duration.between(signals.now(), last);
        Recommendation late =
                wait.isPositive()
                        ? new Plan(signals, history, signals.loadTime().plus(wait)).recommend()
                        : found;
        Recommendation larger = late.replicas() > found.replicas() ? late : found;
        return new Recommendation(
                larger.replicas(), larger.rule(), larger.reason() + "; " + words(coming));
    }

    /// Names no job, since reasons are shown to every reader of a pool.
    private static String words(ComingCapacity coming) {
        String free =
                Reason.text(
                        "%d of %d missing can be placed without preemption",
                        coming.now(), coming.missing());
        Instant last = coming.last();
        return last == null
                ? free
                : Reason.text(
                        "%s, %d by %s",
                        free,
                        coming.now() + coming.later().size(),
                        last.truncatedTo(ChronoUnit.SECONDS));
    }

    /// Whether the pool may stop its last replica. Where no request ever came, the pool's own
    /// cool-down counts from its last change.
    private static boolean isIdle(PoolSignals signals) {
        Instant last = signals.load().lastRequest();
        Duration cooldown = signals.pool().scaling().cooldown();
        return signals.pool().min() == 0
                && (last == null || !signals.now().isBefore(last.plus(cooldown)));
    }

    private static List<LoadInterval> complete(PoolSignals signals) {
        long now = Math.floorDiv(signals.now().toEpochMilli(), LoadHistory.SECONDS * 1000L);
        return signals.load().intervals().stream().filter(each -> each.number() < now).toList();
    }

    /// One decision.
    private static final class Plan {
        private final PoolSignals signals;
        private final Duration lead;
        private final Demand demand;
        private final FluidPool fluid;
        private final double limit;
        private final double budget;
        private final double promptTokens;
        private final int max;
        private final @Nullable String attained;

        /// @param lead after which a replica that is submitted now is ready
        Plan(PoolSignals signals, List<LoadInterval> history, Duration lead) {
            this.signals = signals;
            this.max = signals.pool().max();
            Slo slo = signals.pool().slo();
            this.lead = lead;
            long ahead = Math.ceilDiv(lead.toSeconds(), (long) LoadHistory.SECONDS);
            demand = new Demand(history, (int) Math.min(ahead, LoadHistory.INTERVALS) + 1);
            ServiceModel model = ServiceModel.fit(signals.load().times());
            var objectives =
                    new FluidPool.Objectives(
                            firstToken(slo), interToken(slo), outputTokens(history));
            limit = ThroughputLimit.of(history, new FluidPool(model, objectives));
            fluid = new FluidPool(model, objectives, limit);
            double allowed =
                    slo.permille() == 0
                            ? USUAL_BUDGET
                            : Math.max(LEAST_BUDGET, 1 - slo.permille() / 1000.0);
            long requests = Math.max(1, sum(history, LoadCount.ARRIVALS));
            promptTokens = (double) sum(history, LoadCount.PROMPT_TOKENS) / requests;
            long answered = sum(history, LoadCount.ANSWERED);
            double missed =
                    answered < ENOUGH
                            ? allowed
                            : 1 - (double) sum(history, LoadCount.WITHIN_SLO) / answered;
            budget = Math.clamp(2 * allowed - missed, FRUGAL * allowed, GENEROUS * allowed);
            attained =
                    answered < ENOUGH
                            ? null
                            : Reason.text(
                                    "%.2f %% of the last hour met the SLO", 100 * (1 - missed));
        }

        private static double firstToken(Slo slo) {
            if (slo.firstTokenMillis() > 0) {
                return slo.firstTokenMillis() / 1000.0;
            }
            return slo.isNone() ? USUAL_FIRST_TOKEN : Double.POSITIVE_INFINITY;
        }

        private static double interToken(Slo slo) {
            double pace =
                    slo.interTokenMillis() > 0
                            ? slo.interTokenMillis() / 1000.0
                            : Double.POSITIVE_INFINITY;
            return slo.tokensPerSecond() > 0 ? Math.min(pace, 1.0 / slo.tokensPerSecond()) : pace;
        }

        private static double outputTokens(List<LoadInterval> history) {
            List<LoadInterval> recent =
                    history.subList(Math.max(0, history.size() - RECENT), history.size());
            return (sum(recent, LoadCount.OUTPUT_TOKENS) + USUAL_OUTPUT * USUAL_ANSWERS)
                    / (sum(recent, LoadCount.ANSWERED) + USUAL_ANSWERS);
        }

        private static long sum(List<LoadInterval> history, LoadCount count) {
            return history.stream().mapToLong(each -> each.of(count)).sum();
        }

        Recommendation recommend() {
            int size = Math.clamp(signals.desired(), 1, max);
            if (isTooSmall(size, budget)) {
                return fluid.missedAlone(promptTokens) <= budget
                        ? grown(size)
                        : nearest(size, fluid.missed(demand, max, 1));
            }
            int smaller = shrunk(size, budget);
            return smaller < size
                    ? new Recommendation(
                            smaller, "slo: fewer replicas keep the SLO", reason(smaller))
                    : new Recommendation(size, "slo: the size is right", reason(size));
        }

        private boolean isTooSmall(int size, double allowed) {
            return size > signals.desired() || fluid.missed(demand, size, 1 - NOISE) > allowed;
        }

        private int enough(int from, double allowed) {
            return SizeSearch.up(from, max, size -> fluid.missed(demand, size, 1) <= allowed);
        }

        private int shrunk(int from, double allowed) {
            return demand.size() < SHRINK
                    ? from
                    : SizeSearch.down(
                            from, size -> fluid.missed(demand, size, 1 + NOISE) <= allowed);
        }

        private Recommendation grown(int from) {
            int size = enough(from, budget);
            return new Recommendation(
                    size, "slo: more replicas are needed to keep the SLO", reason(size));
        }

        /// No size keeps the SLO, since a request alone misses it. More replicas are worth
        /// their cost only while each saves requests, so this takes the smallest size that misses
        /// hardly more than `max` does.
        ///
        /// @param fewest the fraction of requests that `max` replicas miss
        private Recommendation nearest(int from, double fewest) {
            double allowed = fewest + budget;
            int size = isTooSmall(from, allowed) ? enough(from, allowed) : shrunk(from, allowed);
            return new Recommendation(
                    size,
                    "slo: no size keeps the SLO",
                    Reason.text(
                                    "max, %d, misses the SLO for %.2f %% of requests, and fewer"
                                            + " replicas for hardly more: ",
                                    max, 100 * fewest)
                            + reason(size));
        }

        /// The figures behind a size.
        private String reason(int size) {
            var text = new StringBuilder();
            text.append(
                    Reason.text(
                            "%.1f requests/s and %.0f prompt tokens/s are expected in %ds; with the"
                                    + " surprises of the last hour %d replicas miss the SLO for"
                                    + " %.2f %% of requests",
                            demand.requestForecast() / LoadHistory.SECONDS,
                            demand.tokenForecast() / LoadHistory.SECONDS,
                            lead.toSeconds(),
                            size,
                            100 * fluid.missed(demand, size, 1)));
            if (size > 1) {
                text.append(
                        Reason.text(
                                ", %d for %.2f %%",
                                size - 1, 100 * fluid.missed(demand, size - 1, 1)));
            }
            if (limit < ThroughputLimit.NONE) {
                text.append(Reason.text("; a replica takes at most %.1f requests/s", limit));
            }
            text.append(Reason.text("; %.2f %% are planned", 100 * budget));
            if (attained != null) {
                text.append(" because ").append(attained);
            }
            return text.toString();
        }
    }
}
