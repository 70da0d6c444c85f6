package io.gpusched.server.alert;

import io.gpusched.server.config.AlertThresholds;
import io.gpusched.server.config.Config;

import java.util.List;

/// All conditions with their configured thresholds.
public final class AlertConditions {
    private AlertConditions() {}

    /// The conditions that are switched on.
    public static List<AlertCondition> of(Config config) {
        AlertThresholds thresholds = config.alerts().thresholds();
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
                        new ForecastCoverage(thresholds.coverage()))
                .stream()
                .filter(condition -> config.alerts().holds().containsKey(condition.name()))
                .toList();
    }
}
