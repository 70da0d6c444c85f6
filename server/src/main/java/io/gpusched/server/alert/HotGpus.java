package io.gpusched.server.alert;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.Plurals;
import io.gpusched.server.config.AlertName;
import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.NodeRow;

import java.util.List;

/// A node with GPUs that are too hot to get new jobs.
final class HotGpus implements AlertCondition {
    private final long limit;
    private final double celsius;

    /// @param limit how many hot GPUs raise an alert
    /// @param celsius the temperature from which on a GPU is hot
    HotGpus(long limit, double celsius) {
        this.limit = limit;
        this.celsius = celsius;
    }

    @Override
    public AlertName name() {
        return AlertName.HOT_GPUS;
    }

    @Override
    public double threshold() {
        return limit;
    }

    @Override
    public List<Finding> evaluate(AlertPicture picture) {
        return picture.view().nodes().all().stream()
                .filter(node -> node.online() && hot(node) >= limit)
                .map(node -> finding(node, picture.readings()))
                .toList();
    }

    private static int hot(NodeRow node) {
        return Long.bitCount(node.hotGpus());
    }

    private Finding finding(NodeRow node, LatestReadings readings) {
        String name = node.facts().id().name();
        double hottest = hottest(node, readings);
        return new Finding(
                AlertSubject.of(node.facts().id()),
                Finding.Level.EXCEEDED,
                Severity.WARNING,
                hot(node),
                limit,
                "%s of node %s %s hot (limit %s °C)%s; new jobs avoid hot GPUs"
                        .formatted(
                                Plurals.of(hot(node), "GPU"),
                                name,
                                hot(node) == 1 ? "is" : "are",
                                AlertText.number(celsius, 1),
                                Double.isNaN(hottest)
                                        ? ""
                                        : ", hottest now " + AlertText.number(hottest, 1) + " °C"),
                "check cooling and airflow; to empty the node: gpu-cli drain " + name);
    }

    private static double hottest(NodeRow node, LatestReadings readings) {
        double hottest = Double.NaN;
        for (Gpu gpu : node.facts().gpus()) {
            double one = readings.gpu(node.facts().id(), gpu.index()).temperature();
            if (!Double.isNaN(one) && !(one <= hottest)) {
                hottest = one;
            }
        }
        return hottest;
    }
}
