package io.gpusched.server.alert;

import io.gpusched.server.config.AlertName;
import io.gpusched.server.metrics.Meters;
import io.gpusched.server.view.NodeRow;
import io.gpusched.server.view.View;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/// Metrics of what the conditions look at, so that rules of Prometheus can judge the same. What
/// costs a walk over the queue is read from the last picture. A node is a row only while something
/// is wrong with it.
public final class AlertMeters {
    /// Every tenant is a time series of its own, so their number is limited.
    private static final int MOST_TENANTS = 100;

    private final AlertWatch watch;
    private final Supplier<View> views;

    private AlertMeters(AlertWatch watch, Supplier<View> views) {
        this.watch = watch;
        this.views = views;
    }

    public static void add(Meters meters, AlertWatch watch, Supplier<View> views) {
        var source = new AlertMeters(watch, views);
        source.addQueue(meters);
        source.addNodes(meters);
        meters.gauges(
                "gpu_scheduler_alerts_firing",
                "Alerts of the scheduler that fire, by name.",
                "name",
                source::firing);
    }

    private void addQueue(Meters meters) {
        meters.gauge(
                "gpu_scheduler_pending_oldest_seconds",
                "Longest time that a job has waited in the queue.",
                () -> pictured(picture -> picture.queueAges().longest().toSeconds()));
        meters.gauge(
                "gpu_scheduler_gpus_fragmented",
                "Free GPUs that are too scattered for every waiting job.",
                () -> pictured(picture -> picture.fragmentedCapacity().fragmentedGpus()));
        meters.gauges(
                "gpu_scheduler_tenant_pending_oldest_seconds",
                "Longest time that a job of a tenant has waited in the queue; of at most "
                        + MOST_TENANTS
                        + " tenants.",
                "tenant",
                () -> tenants(ages -> ages.longest().toSeconds()));
        meters.gauges(
                "gpu_scheduler_tenant_waiting",
                "Jobs of a tenant in the queue; of at most " + MOST_TENANTS + " tenants.",
                "tenant",
                () -> tenants(QueueAges.Ages::jobs));
    }

    private void addNodes(Meters meters) {
        meters.gauge(
                "gpu_scheduler_gpus_hot",
                "GPUs that are too hot to get new jobs.",
                () ->
                        views.get().nodes().all().stream()
                                .mapToLong(row -> Long.bitCount(row.hotGpus()))
                                .sum());
        meters.gauges(
                "gpu_scheduler_node_hot_gpus",
                "GPUs of a node that are too hot to get new jobs; only nodes with such GPUs.",
                "node",
                () -> nodes(row -> Long.bitCount(row.hotGpus())));
        meters.gauges(
                "gpu_scheduler_node_unreachable",
                "1 for a node that does not answer although no operator cordoned or drained it.",
                "node",
                () -> nodes(row -> NodeLost.isMissing(row) ? 1 : 0));
        meters.gauges(
                "gpu_scheduler_node_refusals",
                "Jobs that a node refused to start recently; only nodes that refused some.",
                "node",
                () -> nodes(row -> row.refusals().size()));
        meters.gauges(
                "gpu_scheduler_node_cordoned_by_scheduler",
                "1 for a node that the scheduler cordoned by itself because it refused jobs.",
                "node",
                () -> nodes(row -> row.status().cordonedByScheduler() ? 1 : 0));
    }

    private double pictured(ToDoubleFunction<AlertPicture> figure) {
        AlertPicture picture = watch.last();
        return picture == null ? Double.NaN : figure.applyAsDouble(picture);
    }

    /// The tenants whose jobs have waited longest.
    private Map<String, Double> tenants(ToDoubleFunction<QueueAges.Ages> figure) {
        var rows = new LinkedHashMap<String, Double>();
        AlertPicture picture = watch.last();
        if (picture != null) {
            picture.queueAges().byTenant().values().stream()
                    .sorted(Comparator.comparing(QueueAges.Ages::longest).reversed())
                    .limit(MOST_TENANTS)
                    .forEach(ages -> rows.put(ages.tenant().name(), figure.applyAsDouble(ages)));
        }
        return rows;
    }

    /// A value for every node where it is not zero.
    private Map<String, Double> nodes(ToDoubleFunction<NodeRow> figure) {
        var rows = new LinkedHashMap<String, Double>();
        for (NodeRow row : views.get().nodes().all()) {
            double value = figure.applyAsDouble(row);
            if (value != 0) {
                rows.put(row.facts().id().name(), value);
            }
        }
        return rows;
    }

    private Map<String, Double> firing() {
        var rows = new LinkedHashMap<String, Double>();
        for (AlertName name : AlertName.values()) {
            rows.put(name.shown(), 0.0);
        }
        for (Alert alert : watch.all()) {
            if (alert.isFiring()) {
                rows.merge(alert.name().shown(), 1.0, Double::sum);
            }
        }
        return rows;
    }
}
