package io.gpusched.server.alert;

import io.gpusched.core.model.Plurals;
import io.gpusched.server.config.AlertName;

import java.util.List;

/// Free GPUs are too scattered for every waiting job, see [FragmentedCapacity].
final class ScatteredGpus implements AlertCondition {
    private final double limit;

    ScatteredGpus(double limit) {
        this.limit = limit;
    }

    @Override
    public AlertName name() {
        return AlertName.FRAGMENTATION;
    }

    @Override
    public double threshold() {
        return limit;
    }

    @Override
    public List<Finding> evaluate(AlertPicture picture) {
        FragmentedCapacity capacity = picture.fragmentedCapacity();
        if (capacity.blocked() == 0) {
            return List.of();
        }
        return List.of(
                new Finding(
                        AlertSubject.CLUSTER,
                        Finding.Level.above(capacity.share(), limit),
                        Severity.WARNING,
                        capacity.share(),
                        limit,
                        "%s free but too scattered for %s that would fit in sum, %s of the cluster; the limit is %s. A waiting task needs %s on one node"
                                .formatted(
                                        Plurals.of(capacity.fragmentedGpus(), "GPU"),
                                        Plurals.of(capacity.blocked(), "waiting job"),
                                        AlertText.percent(capacity.share()),
                                        AlertText.percent(limit),
                                        Plurals.of(capacity.widest(), "GPU")),
                        "see which jobs to move: gpu-cli defrag"));
    }
}
