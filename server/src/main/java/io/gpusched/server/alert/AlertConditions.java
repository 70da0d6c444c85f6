package io.gpusched.server.alert;

import io.gpusched.server.config.AlertName;
import io.gpusched.server.config.AlertThresholds;
import io.gpusched.server.config.AlertsSection;
import io.gpusched.server.config.Config;

import java.util.List;
import java.util.Objects;

/// All conditions with their configured thresholds.
public final class AlertConditions {
    private AlertConditions() {}

    /// All of them, also those that are switched off.
    public static List<WatchedCondition> of(Config config) {
        AlertsSection section = config.alerts();
        AlertThresholds thresholds = section.thresholds();
        return List.<AlertCondition>of(
                        new PendingTooLong(thresholds.pending()),
                        new Starvation(
                                thresholds.starvationFactor(),
                                thresholds.starvationLeast(),
                                config.scheduler().learned().starvationBound()),
                        new PreemptionRate(
                                thresholds.preemptedShare(), thresholds.preemptionsLeast()),
                        new ScatteredGpus(thresholds.fragmentedShare()),
                        new NodeLost(),
                        new BlackHoleNode(thresholds.refusals()),
                        new HotGpus(thresholds.hotGpus(), config.scheduler().thermalThreshold()),
                        new JournalLag(thresholds.append()),
                        new ExplorationRatio(thresholds.explorationMargin()),
                        new LowCertainty(thresholds.certainty()),
                        new ForecastCoverage(thresholds.coverage()),
                        new PoolSloAtRisk(),
                        new PoolWaiting(),
                        new PoolLoadStale(),
                        new PoolCrashLoop(),
                        new PoolCostLimit(),
                        new DeadlineAtRisk())
                .stream()
                .map(condition -> watched(condition, section))
                .toList();
    }

    private static WatchedCondition watched(AlertCondition condition, AlertsSection section) {
        AlertName name = condition.name();
        return new WatchedCondition(
                condition,
                section.enabled().contains(name),
                Objects.requireNonNull(section.holds().get(name)));
    }
}
