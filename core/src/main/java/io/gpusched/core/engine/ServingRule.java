package io.gpusched.core.engine;

import io.gpusched.core.model.Job;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.ServingChoice;
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
///                             ├─ cost limit ──▶ smaller model
///                             └─ else ────────▶ keep
///     SLO at risk ────────────┬─ grows, loads ▶ keep
///                             ├─ on spot ─────▶ on demand
///                             └─ on demand ───▶ faster or larger model
///
/// A choice stands for as long as a replica loads and at least a minute, so that its effect can be
/// seen.
final class ServingRule {
    private static final Duration SETTLES = Duration.ofMinutes(1);

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
        int slo = pool.slo().firstTokenMillis();
        Instant oldest = now.minus(pool.scaling().staleAfter());
        int seen = entry.load().since(oldest).firstTokenP95Millis();
        boolean recent = before.since().plus(settles()).isAfter(now);
        if (slo == 0 || seen == 0 || recent) {
            return before;
        }
        String figures =
                String.format(
                        Locale.ROOT, "the first token takes %d ms, the objective is %d", seen, slo);
        if (seen + rules.headroomMillis() <= slo) {
            return met(before, mayUseSpot, figures);
        }
        if (seen <= slo || decision.desired() > sizeBefore || isLoading()) {
            return before;
        }
        return atRisk(before, figures);
    }

    private ServingChoice met(ServingChoice before, boolean mayUseSpot, String figures) {
        if (mayUseSpot && !before.spot()) {
            return on(true, before.model(), "slo-met-spot", figures);
        }
        long limit = rules.maxMicroDollarsPerHour();
        boolean dear = limit > 0 && new PoolCost(state).microDollarsPerHour(entry) >= limit;
        return rules.fallbackOnCost() && dear && !rules.fallbackModel().isEmpty()
                ? on(before.spot(), rules.fallbackModel(), "cost-smaller-model", figures)
                : before;
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
