package io.gpusched.core.engine;

import io.gpusched.core.model.Job;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.ServingChoice;
import io.gpusched.core.scale.Recommendation;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/// Decides on what capacity the next replicas of a pool run and which model they load.
///
///     too many interruptions ──────────────▶ on demand
///     SLO met with headroom ──┬─ spot allowed ▶ spot
///                             └─ low load ────▶ the pool's own model again
///     cost limits the size ───────────────────▶ smaller model
///     SLO at risk ────────────┬─ grows, loads ▶ keep
///                             ├─ on spot ─────▶ on demand
///                             └─ on demand ───▶ faster or larger model
///
/// A choice stands for as long as a replica loads and at least a minute, so that its effect can be
/// seen. Another model stands for at least ten minutes, and the pool's own comes back only when
/// there is room for twice the replicas: the own model may need more of them.
final class ServingRule {
    private static final Duration SETTLES = Duration.ofMinutes(1);
    private static final Duration OTHER_STANDS = Duration.ofMinutes(10);

    private final ClusterState state;
    private final PoolEntry entry;
    private final Pool pool;
    private final CostRules rules;
    private final Instant now;

    ServingRule(ClusterState state, PoolEntry entry, Instant now) {
        this.state = state;
        this.entry = entry;
        this.pool = entry.pool();
        this.rules = pool.cost();
        this.now = now;
    }

    /// @param decision the size that was decided at the same time
    /// @param sizeBefore the size before that decision
    ServingChoice decide(PoolDecision decision, int sizeBefore) {
        ServingChoice before = entry.choice();
        int interruptions = entry.interruptionsSince(now.minus(rules.window()));
        boolean mayUseSpot =
                rules.spotPercent() > 0
                        && (rules.maxInterruptions() == 0
                                || interruptions < rules.maxInterruptions());
        if (before.spot() && !mayUseSpot) {
            return on(
                    false,
                    before.model(),
                    "interruptions",
                    interruptions + " interruptions within " + rules.window());
        }
        if (before.since().plus(settles()).isAfter(now)) {
            return before;
        }
        int slo = pool.slo().firstTokenMillis();
        Instant oldest = now.minus(pool.scaling().staleAfter());
        int seen = entry.load().since(oldest).firstTokenP95Millis();
        String figures =
                slo == 0
                        ? "the pool has no objective for the first token"
                        : String.format(
                                Locale.ROOT,
                                "the first token takes %d ms, the objective is %d",
                                seen,
                                slo);
        boolean met = seen > 0 && seen + rules.headroomMillis() <= slo;
        if (met && mayUseSpot && !before.spot()) {
            return on(true, before.model(), "slo-met-spot", figures);
        }
        if (isTooDear(before, decision)) {
            return on(
                    before.spot(),
                    rules.fallbackModel(),
                    "cost-smaller-model",
                    figures + ", and the limit of cost allows no more replicas");
        }
        if ((met || slo == 0) && mayReturn(before, decision)) {
            return on(before.spot(), pool.model(), "own-model", figures);
        }
        boolean waits = decision.desired() > sizeBefore || isLoading();
        return slo > 0 && seen > slo && !waits ? atRisk(before, figures) : before;
    }

    /// Whether the law wants more replicas than the limit of cost allows.
    private boolean isTooDear(ServingChoice before, PoolDecision decision) {
        long limit = rules.maxMicroDollarsPerHour();
        Recommendation law = decision.recommendation();
        if (limit == 0
                || !rules.fallbackOnCost()
                || rules.fallbackModel().isEmpty()
                || rules.fallbackModel().equals(before.model())
                || law == null
                || law.replicas() <= decision.desired()) {
            return false;
        }
        var cost = new PoolCost(state);
        return cost.microDollarsPerHour(entry) + cost.expected(entry) > limit;
    }

    /// Whether the pool's own model may come back: twice the replicas that the law wants now would
    /// be within the bounds and the limit of cost.
    private boolean mayReturn(ServingChoice before, PoolDecision decision) {
        Recommendation law = decision.recommendation();
        Duration stands = settles().compareTo(OTHER_STANDS) > 0 ? settles() : OTHER_STANDS;
        if (law == null
                || before.model().equals(pool.model())
                || before.since().plus(stands).isAfter(now)) {
            return false;
        }
        long twice = 2L * law.replicas();
        long limit = rules.maxMicroDollarsPerHour();
        return twice <= pool.max()
                && (limit == 0 || twice * new PoolCost(state).expected(entry) <= limit);
    }

    private Duration settles() {
        Duration load = entry.loadTime();
        return load.compareTo(SETTLES) > 0 ? load : SETTLES;
    }

    /// Whether a replica that will help loads its model; one that takes far longer than usual is
    /// not waited for.
    private boolean isLoading() {
        Instant latest = now.minus(settles().multipliedBy(2));
        for (ReplicaStatus status : entry.replicas()) {
            Job job = state.job(status.job());
            Instant placed = status.placed();
            if (job != null
                    && placed != null
                    && placed.isAfter(latest)
                    && status.state(job) == ReplicaStatus.State.STARTING) {
                return true;
            }
        }
        return false;
    }

    private ServingChoice atRisk(ServingChoice before, String figures) {
        if (before.spot()) {
            return on(false, before.model(), "slo-on-demand", figures);
        }
        String other =
                rules.fallbackOnSlo() && !rules.fallbackModel().isEmpty()
                        ? rules.fallbackModel()
                        : rules.largerModel();
        return other.isEmpty() ? before : on(false, other, "slo-other-model", figures);
    }

    private ServingChoice on(boolean spot, String model, String rule, String reason) {
        return new ServingChoice(now, spot, model, rule, reason);
    }
}
