package io.gpusched.server.monitoring;

import io.gpusched.server.monitoring.Panel.Query;

import java.util.List;
import java.util.stream.Stream;

/// The dashboards that are shipped in `deploy/grafana`. To change one, change it here and run
/// `DashboardFilesTest` with `-Dupdate=true`.
public final class Dashboards {
    public static final List<Dashboard> ALL =
            List.of(cluster(), tenants(), pools(), internals(), learning());

    private static final String HERE = "instance=~\"$instance\"";

    private Dashboards() {}

    private static Query query(String expr, String legend) {
        return new Query(expr.replace("@", "{" + HERE + "}").replace("§", HERE), legend);
    }

    private static String sum(String metric) {
        return "sum(" + metric + "{" + HERE + "})";
    }

    private static Query quantile(double quantile, String histogram, String legend) {
        return query(
                "histogram_quantile("
                        + quantile
                        + ", sum by (le) (rate("
                        + histogram
                        + "_bucket@[$__rate_interval])))",
                legend);
    }

    private static Dashboard cluster() {
        return new Dashboard(
                "cluster",
                "Cluster",
                "GPUs, nodes and the queue: what is used, what waits, and what is wrong.",
                false,
                Stream.of(clusterNow(), clusterWork(), clusterTrouble())
                        .flatMap(List::stream)
                        .toList());
    }

    private static List<Panel> clusterNow() {
        return List.of(
                Panel.stat("GPUs", "GPUs of all nodes.", "short", sum("gpu_scheduler_gpus")),
                Panel.stat(
                        "GPUs in use",
                        "Share of GPUs that jobs hold.",
                        "percentunit",
                        "1 - "
                                + sum("gpu_scheduler_gpus_free")
                                + " / "
                                + sum("gpu_scheduler_gpus")),
                Panel.stat(
                        "Waiting jobs",
                        "Jobs in the queue, held ones included.",
                        "short",
                        sum("gpu_scheduler_queue_size")),
                Panel.stat(
                                "Longest wait",
                                "How long the oldest waiting job has waited.",
                                "s",
                                "max(gpu_scheduler_pending_oldest_seconds{" + HERE + "})")
                        .from(3600, "orange")
                        .from(7200, "red"),
                Panel.stat(
                                "Nodes offline",
                                "Nodes that do not answer.",
                                "short",
                                sum("gpu_scheduler_nodes")
                                        + " - "
                                        + sum("gpu_scheduler_nodes_online"))
                        .from(1, "red"),
                Panel.stat(
                                "Alerts",
                                "Alerts of the scheduler that fire.",
                                "short",
                                sum("gpu_scheduler_alerts_firing"))
                        .from(1, "red"),
                Panel.lines(
                        "GPUs",
                        "GPUs that jobs hold, that are free, that are held and not used,"
                                + " and that are free but too scattered for every waiting job.",
                        "short",
                        query("sum(gpu_scheduler_gpus@) - sum(gpu_scheduler_gpus_free@)", "held"),
                        query("sum(gpu_scheduler_gpus_free@)", "free"),
                        query("sum(gpu_scheduler_gpus_idle@)", "held, not used"),
                        query("sum(gpu_scheduler_gpus_fragmented@)", "scattered")));
    }

    private static List<Panel> clusterWork() {
        return List.of(
                Panel.lines(
                        "Jobs",
                        "Jobs in the cluster by state.",
                        "short",
                        query(
                                "sum by (state) (gpu_scheduler_jobs_present{§,"
                                        + "state=~\"pending|scheduled|running|preempted\"})",
                                "{{state}}")),
                Panel.lines(
                        "Wait before the first start",
                        "Of the jobs that started, half and nine of ten waited at most this"
                                + " long.",
                        "s",
                        quantile(0.5, "gpu_scheduler_wait_seconds", "half"),
                        quantile(0.9, "gpu_scheduler_wait_seconds", "9 of 10")),
                Panel.lines(
                        "Throughput",
                        "Jobs that entered a state, for each minute.",
                        "short",
                        query(
                                "60 * sum by (state)"
                                        + " (rate(gpu_scheduler_jobs_total@[$__rate_interval]))",
                                "{{state}}")));
    }

    private static List<Panel> clusterTrouble() {
        return List.of(
                Panel.lines(
                        "Utilisation",
                        "Mean over nodes of the measured utilisation of GPUs, and of the"
                                + " share that jobs hold.",
                        "percentunit",
                        query("avg(gpu_scheduler_gpu_utilization@)", "measured"),
                        query("avg(gpu_scheduler_gpu_allocation@)", "held")),
                Panel.lines(
                        "Preempted and stopped runs",
                        "Runs preempted for other jobs, and runs stopped because they used"
                                + " no GPU, for each hour.",
                        "short",
                        query("sum(increase(gpu_scheduler_preemptions_total@[1h]))", "preempted"),
                        query("sum(increase(gpu_scheduler_idle_stops_total@[1h]))", "idle")),
                Panel.bars(
                                "Nodes that refuse jobs",
                                "Jobs that a node recently refused to start.",
                                "short",
                                query("gpu_scheduler_node_refusals@", "{{node}}"))
                        .from(3, "red"),
                Panel.bars(
                                "Hot GPUs",
                                "GPUs of a node that are too hot to get new jobs.",
                                "short",
                                query("gpu_scheduler_node_hot_gpus@", "{{node}}"))
                        .from(1, "orange"));
    }

    private static Dashboard tenants() {
        return new Dashboard(
                "tenants",
                "Tenants",
                "What each tenant holds and how long its jobs wait; the hundred largest tenants.",
                true,
                List.of(
                        Panel.lines(
                                        "Share of the cluster",
                                        "Share of all GPUs that a tenant and its children hold.",
                                        "percentunit",
                                        query(
                                                "gpu_scheduler_tenant_share{§,tenant=~\"$tenant\"}",
                                                "{{tenant}}"))
                                .stack(),
                        Panel.lines(
                                        "Waiting jobs",
                                        "Jobs of a tenant in the queue.",
                                        "short",
                                        query(
                                                "gpu_scheduler_tenant_waiting{§,tenant=~\"$tenant\"}",
                                                "{{tenant}}"))
                                .stack(),
                        Panel.lines(
                                        "Longest wait",
                                        "How long the oldest waiting job of a tenant has waited.",
                                        "s",
                                        query(
                                                "gpu_scheduler_tenant_pending_oldest_seconds{§,tenant=~\"$tenant\"}",
                                                "{{tenant}}"))
                                .from(7200, "red"),
                        Panel.bars(
                                "Largest shares now",
                                "The ten tenants that hold most.",
                                "percentunit",
                                query(
                                        "topk(10,"
                                            + " gpu_scheduler_tenant_share{§,tenant=~\"$tenant\"})",
                                        "{{tenant}}"))));
    }

    private static Dashboard internals() {
        return new Dashboard(
                "internals",
                "Scheduler internals",
                "How fast the scheduler decides and stores, its requests and its process.",
                false,
                Stream.of(cyclesAndStore(), requestsAndProcess()).flatMap(List::stream).toList());
    }

    private static List<Panel> cyclesAndStore() {
        return List.of(
                Panel.lines(
                        "Time of a scheduling cycle",
                        "Half and 99 of 100 cycles took at most this long.",
                        "s",
                        quantile(0.5, "gpu_scheduler_scheduling_latency", "half"),
                        quantile(0.99, "gpu_scheduler_scheduling_latency", "99 of 100")),
                Panel.lines(
                                "Time to make a batch durable",
                                "Half and 99 of 100 batches took at most this long.",
                                "s",
                                quantile(0.5, "gpu_scheduler_journal_append_seconds", "half"),
                                quantile(0.99, "gpu_scheduler_journal_append_seconds", "99 of 100"))
                        .from(0.25, "orange"),
                Panel.lines(
                                "Journal lag",
                                "Time since the store last confirmed that the scheduler"
                                        + " owns the journal. Normally below 2 s.",
                                "s",
                                query("gpu_scheduler_journal_lag_seconds@", "{{instance}}"))
                        .from(10, "red"),
                Panel.lines(
                        "Batches and events",
                        "Made durable, for each second.",
                        "ops",
                        query(
                                "sum(rate(gpu_scheduler_batches_total@[$__rate_interval]))",
                                "batches"),
                        query(
                                "sum(rate(gpu_scheduler_events_total@[$__rate_interval]))",
                                "events")));
    }

    private static List<Panel> requestsAndProcess() {
        return List.of(
                Panel.lines(
                        "Requests",
                        "HTTP requests answered for each second, by class of status.",
                        "reqps",
                        query(
                                "sum by (status)"
                                    + " (rate(gpu_scheduler_http_requests_total@[$__rate_interval]))",
                                "{{status}}")),
                Panel.lines(
                        "Messages to webhooks",
                        "What came of messages about alerts, for each hour.",
                        "short",
                        query(
                                "sum by (webhook, result)"
                                        + " (increase(gpu_scheduler_alert_deliveries_total@[1h]))",
                                "{{webhook}} {{result}}")),
                Panel.lines(
                        "Memory",
                        "Memory of the Java process by area.",
                        "bytes",
                        query("sum by (area) (jvm_memory_used_bytes@)", "{{area}}")),
                Panel.lines(
                        "Processor",
                        "Share of the machine's processors that the process uses.",
                        "percentunit",
                        query("process_cpu_usage@", "{{instance}}")),
                Panel.lines(
                        "Threads and open files",
                        "Live threads and open file descriptors of the process.",
                        "short",
                        query("jvm_threads_live_threads@", "threads"),
                        query("process_files_open_files@", "files")),
                Panel.lines(
                        "Clock",
                        "How far the machine's clock is ahead of the scheduler's time.",
                        "s",
                        query("gpu_scheduler_clock_ahead_seconds@", "{{instance}}")));
    }

    private static Dashboard pools() {
        return new Dashboard(
                "pools",
                "Pools",
                "Pools of replicas: their sizes, their objectives, their load and their cost.",
                false,
                Stream.of(poolSizes(), poolLoad()).flatMap(List::stream).toList());
    }

    private static List<Panel> poolSizes() {
        return List.of(
                Panel.lines(
                        "Replicas",
                        "Replicas that take requests, and replicas that the pool should have.",
                        "short",
                        query(
                                "sum by (pool) (gpu_scheduler_pool_replicas{§,state=\"ready\"})",
                                "{{pool}} ready"),
                        query("gpu_scheduler_pool_desired_replicas@", "{{pool}} wanted")),
                Panel.lines(
                        "Decisions",
                        "Changes of the size for each hour, by direction.",
                        "short",
                        query(
                                "sum by (pool, direction)"
                                        + " (increase(gpu_scheduler_pool_scale_operations_total"
                                        + "@[1h]))",
                                "{{pool}} {{direction}}")),
                Panel.lines(
                        "SLO attainment",
                        "Share of the requests of the last minute that met the objectives, and"
                                + " the share that should.",
                        "percentunit",
                        query("gpu_scheduler_pool_slo_ratio@", "{{pool}}"),
                        query("gpu_scheduler_pool_slo_target_ratio@", "{{pool}} target")),
                Panel.lines(
                        "Time to the first token",
                        "95 of 100 requests of the last minute had their first token after at"
                                + " most this time.",
                        "s",
                        query("gpu_scheduler_pool_ttft_p95_seconds@", "{{pool}}")));
    }

    private static List<Panel> poolLoad() {
        return List.of(
                Panel.lines(
                        "Tokens",
                        "Tokens that replicas generated for each second of the last minute.",
                        "short",
                        query("gpu_scheduler_pool_tokens_per_second@", "{{pool}}")),
                Panel.lines(
                        "Tokens in the queue",
                        "Prompt tokens that no replica has begun.",
                        "short",
                        query("gpu_scheduler_pool_tokens_in_queue@", "{{pool}}")),
                Panel.lines(
                        "Requests",
                        "Requests that arrived for each second of the last minute.",
                        "ops",
                        query("gpu_scheduler_pool_arrivals_per_second@", "{{pool}}")),
                Panel.lines(
                        "Cost",
                        "Dollars per hour for all replicas, and the limit where there is one.",
                        "currencyUSD",
                        query("gpu_scheduler_pool_cost_dollars_per_hour@", "{{pool}}"),
                        query("gpu_scheduler_pool_cost_limit_dollars_per_hour@", "{{pool}} limit")),
                Panel.lines(
                        "Longest wait for GPUs",
                        "How long the oldest waiting replica has waited.",
                        "s",
                        query("gpu_scheduler_pool_waiting_seconds@", "{{pool}}")),
                Panel.lines(
                        "Failed starts",
                        "Replicas that ended by themselves one after the other.",
                        "short",
                        query("gpu_scheduler_pool_failed_starts@", "{{pool}}")));
    }

    private static Dashboard learning() {
        return new Dashboard(
                "learning",
                "Learning",
                "What has been learned, how certain it is, and how the shadow policy compares.",
                false,
                Stream.of(learnedRuntimes(), scoresAndShadow()).flatMap(List::stream).toList());
    }

    private static List<Panel> learnedRuntimes() {
        return List.of(
                Panel.lines(
                        "Explorations",
                        "Share of scores that were explorations, and its cap.",
                        "percentunit",
                        query("scheduler_exploration_ratio@", "explored"),
                        query("gpu_scheduler_exploration_cap_ratio@", "cap")),
                Panel.lines(
                        "Certainty of the learned runtimes",
                        "1 less the relative standard error, on average over all pairs of"
                                + " job and GPU.",
                        "percentunit",
                        query("gpu_scheduler_model_certainty_ratio@", "{{instance}}")),
                Panel.lines(
                        "Start estimates that came true",
                        "Share of started jobs that started within their first estimated"
                                + " range.",
                        "percentunit",
                        query("gpu_scheduler_eta_coverage_ratio@", "{{instance}}")),
                Panel.lines(
                        "Learned pairs",
                        "Pairs of a kind of job and a model of GPU with a learned runtime.",
                        "short",
                        query("gpu_scheduler_model_pairs@", "{{instance}}")),
                Panel.lines(
                        "Uncertainty",
                        "Mean standard error of the learned runtimes.",
                        "s",
                        query("scheduler_avg_uncertainty@", "{{instance}}")));
    }

    private static List<Panel> scoresAndShadow() {
        return List.of(
                Panel.lines(
                        "Scores",
                        "Scores for each second, by model of GPU and whether they" + " explored.",
                        "ops",
                        query(
                                "sum by (gpu_type, decision_type)"
                                        + " (rate(scheduler_decisions_total@[$__rate_interval]))",
                                "{{gpu_type}} {{decision_type}}")),
                Panel.lines(
                        "Observed runs",
                        "Runs that the model learned from, for each hour, by model of GPU.",
                        "short",
                        query(
                                "sum by (gpu_type)"
                                        + " (increase(scheduler_observe_events_total@[1h]))",
                                "{{gpu_type}}")),
                Panel.lines(
                        "Time of a score",
                        "99 of 100 scores took at most this long.",
                        "s",
                        quantile(0.99, "scheduler_scoring_duration_seconds", "99 of 100")),
                Panel.lines(
                        "Mean wait, live and shadow",
                        "Mean wait of the same jobs under the policy in force and under the"
                                + " shadow policy.",
                        "s",
                        query("gpu_scheduler_shadow_live_wait_mean_seconds@", "live"),
                        query("gpu_scheduler_shadow_wait_mean_seconds@", "shadow")),
                Panel.lines(
                        "How far the shadow is behind",
                        "The shadow policy follows the scheduler with this delay.",
                        "s",
                        query("gpu_scheduler_shadow_behind_seconds@", "{{instance}}")));
    }
}
