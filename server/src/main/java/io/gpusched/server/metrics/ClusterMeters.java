package io.gpusched.server.metrics;

import io.gpusched.core.model.Gpu;
import io.gpusched.server.view.DeadlineRisk;
import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.NodeRow;
import io.gpusched.server.view.PublicState;
import io.gpusched.server.view.TenantRow;
import io.gpusched.server.view.View;
import io.micrometer.core.instrument.Gauge;

import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/// Metrics of the present state: the queue, GPUs, nodes and tenants. They are read from the
/// published view when they are scraped.
public final class ClusterMeters {
    /// Every tenant is a time series of its own, so their number is limited.
    private static final int MOST_TENANTS = 100;

    private final Meters meters;
    private final Supplier<View> views;
    private final LatestReadings latestReadings;

    /// @param idle number of GPUs that are held and not used
    public ClusterMeters(
            Meters meters,
            Supplier<View> views,
            LatestReadings latestReadings,
            DoubleSupplier idle,
            InstantSource clock) {
        this.meters = meters;
        this.views = views;
        this.latestReadings = latestReadings;
        gauge("gpu_scheduler_queue_size", "Jobs in the queue.", view -> view.waitingJobs());
        gauge("neuronetes_scheduler_pending_pods", "Jobs in the queue.", View::waitingJobs);
        gauge(
                "gpu_scheduler_deadlines_at_risk",
                "Jobs that may miss their deadline.",
                view -> DeadlineRisk.all(view, clock.instant()).size());
        gauge("gpu_scheduler_gpus", "GPUs in the cluster.", view -> sum(view, NodeRow::totalGpus));
        gauge(
                "gpu_scheduler_gpus_free",
                "GPUs that no job holds.",
                view -> sum(view, NodeRow::freeGpus));
        Gauge.builder("gpu_scheduler_gpus_idle", idle::getAsDouble)
                .description("GPUs that jobs hold and have not used for a while.")
                .register(meters.registry());
        gauge("gpu_scheduler_nodes", "Nodes in the cluster.", view -> view.nodes().all().size());
        gauge(
                "gpu_scheduler_nodes_online",
                "Nodes that are reachable.",
                view -> sum(view, row -> row.online() ? 1 : 0));
        gauge(
                "gpu_scheduler_nodes_cordoned_by_scheduler",
                "Nodes that the scheduler cordoned by itself because they refused to start jobs.",
                view -> sum(view, row -> row.status().cordonedByScheduler() ? 1 : 0));
        for (PublicState state : PublicState.values()) {
            Gauge.builder("gpu_scheduler_jobs_present", () -> views.get().stateCounts().of(state))
                    .description("Jobs by state.")
                    .tag("state", state.toString())
                    .register(meters.registry());
        }
        meters.gauges(
                "gpu_scheduler_gpu_utilization",
                "Mean utilization of a node's GPUs, from 0 to 1.",
                "node",
                () -> byNode(this::utilization));
        meters.gauges(
                "gpu_scheduler_gpu_allocation",
                "Share of a node's GPUs that jobs hold, from 0 to 1.",
                "node",
                () -> byNode(ClusterMeters::allocation));
        meters.gauges(
                "gpu_scheduler_tenant_share",
                "Share of all GPUs that a tenant and its children hold, from 0 to 1; of at most "
                        + MOST_TENANTS
                        + " tenants, those that hold most.",
                "tenant",
                () -> shares(views.get()));
    }

    /// A value for every node that has GPUs.
    private Map<String, Double> byNode(ToDoubleFunction<NodeRow> figure) {
        var rows = new LinkedHashMap<String, Double>();
        for (NodeRow row : views.get().nodes().all()) {
            if (row.totalGpus() > 0) {
                rows.put(row.facts().id().name(), figure.applyAsDouble(row));
            }
        }
        return rows;
    }

    /// The share of all GPUs of the tenants that hold most.
    private static Map<String, Double> shares(View view) {
        double all = 1000 * sum(view, NodeRow::totalGpus);
        var rows = new LinkedHashMap<String, Double>();
        view.tenants().all().stream()
                .sorted(Comparator.comparingLong(ClusterMeters::held).reversed())
                .limit(MOST_TENANTS)
                .forEach(row -> rows.put(row.tenant().id().name(), all == 0 ? 0 : held(row) / all));
        return rows;
    }

    private static long held(TenantRow row) {
        return row.usage().milliGpus();
    }

    /// Counts a request that was answered with `status`.
    public void answered(int status) {
        meters.answered(status);
    }

    /// All metrics in Prometheus' text format. Any thread may call it.
    public String text() {
        return meters.text();
    }

    /// The mean measured utilization; without measurements, the allocated share.
    private double utilization(NodeRow row) {
        double sum = 0;
        int known = 0;
        for (Gpu gpu : row.facts().gpus()) {
            double percent = latestReadings.gpu(row.facts().id(), gpu.index()).utilization();
            if (Double.isFinite(percent)) {
                sum += percent / 100;
                known++;
            }
        }
        return known == 0 ? allocation(row) : sum / known;
    }

    private static double allocation(NodeRow row) {
        return Long.bitCount(row.usedGpus()) / (double) row.totalGpus();
    }

    private static double sum(View view, ToDoubleFunction<NodeRow> figure) {
        return view.nodes().all().stream().mapToDouble(figure).sum();
    }

    private void gauge(String name, String description, ToDoubleFunction<View> figure) {
        Gauge.builder(name, () -> figure.applyAsDouble(views.get()))
                .description(description)
                .register(meters.registry());
    }
}
