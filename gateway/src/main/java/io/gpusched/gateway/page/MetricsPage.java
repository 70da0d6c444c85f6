package io.gpusched.gateway.page;

import io.gpusched.gateway.pool.PoolTable;
import io.gpusched.gateway.pool.ServedPool;
import io.gpusched.gateway.pool.ServedReplica;

import java.util.function.ToDoubleFunction;

/// `GET /metrics`. Names that dashboards of seed 001 use (`agent_…`, `neuronetes_…`,
/// `session_affinity_hit_ratio`) are kept; the others begin with `gateway_`.
public final class MetricsPage {
    private static final double SECONDS = 1e-3;

    /// What is known beside the pools.
    ///
    /// @param now on the clock of the event loop
    public record GatewayFigures(
            int connections, boolean schedulerReachable, long failedReports, long now) {}

    private final PoolTable table;

    public MetricsPage(PoolTable table) {
        this.table = table;
    }

    public String text(GatewayFigures figures) {
        var out = new MetricsText();
        requests(out);
        tokens(out, figures.now);
        times(out);
        replicas(out);
        out.family("gateway_connections", "gauge", "Connections of clients.");
        out.sample(figures.connections);
        out.family("gateway_scheduler_reachable", "gauge", "1 while the scheduler answers.");
        out.sample(figures.schedulerReachable ? 1 : 0);
        out.family("gateway_reports_failed_total", "counter", "Load reports that failed.");
        out.sample(figures.failedReports);
        return out.toString();
    }

    private void requests(MetricsText out) {
        out.family("gateway_requests_total", "counter", "Answers by pool and status.");
        for (ServedPool pool : table.pools()) {
            pool.meter()
                    .answersByStatus()
                    .forEach(
                            (status, count) ->
                                    out.sample(count, "pool", pool.name(), "code", "" + status));
        }
        out.family("agent_admission_rejects_total", "counter", "Requests that were not admitted.");
        for (ServedPool pool : table.pools()) {
            pool.meter()
                    .rejectsByReason()
                    .forEach(
                            (reason, count) ->
                                    out.sample(count, "pool", pool.name(), "reason", reason));
        }
        each(
                out,
                "gateway_retries_total",
                "counter",
                "Requests that were sent to another replica.",
                pool -> pool.meter().retries());
        each(
                out,
                "gateway_disconnects_total",
                "counter",
                "Clients that left before the end of their answer.",
                pool -> pool.meter().disconnects());
        each(
                out,
                "gateway_broken_answers_total",
                "counter",
                "Answers within which the replica failed.",
                pool -> pool.meter().broken());
        each(
                out,
                "gateway_answers_total",
                "counter",
                "Answers that have ended, also with an error.",
                pool -> pool.meter().counters().answered());
        each(
                out,
                "gateway_answers_within_slo_total",
                "counter",
                "Answers that met every objective.",
                pool -> pool.meter().counters().withinSlo());
        each(
                out,
                "gateway_in_flight",
                "gauge",
                "Requests that replicas work on.",
                ServedPool::inFlight);
        each(
                out,
                "agent_queue_depth",
                "gauge",
                "Requests that wait for a replica.",
                ServedPool::held);
    }

    private void tokens(MetricsText out, long now) {
        each(
                out,
                "agent_input_tokens_total",
                "counter",
                "Prompt tokens of requests.",
                pool -> pool.meter().counters().promptTokens());
        each(
                out,
                "agent_output_tokens_total",
                "counter",
                "Tokens that replicas generated.",
                pool -> pool.meter().counters().outputTokens());
        each(
                out,
                "agent_total_tokens",
                "counter",
                "Prompt tokens and generated tokens together.",
                pool ->
                        (double) pool.meter().counters().promptTokens()
                                + pool.meter().counters().outputTokens());
        each(
                out,
                "agent_tokens_out_per_s",
                "gauge",
                "Tokens per second that replicas generated for the answers of the last minute.",
                pool -> pool.meter().outputTokensPerSecond(now));
        each(
                out,
                "neuronetes_tokens_in_queue",
                "gauge",
                "Prompt tokens without an answer, in the gateway and in replicas.",
                MetricsPage::tokensInQueue);
        each(
                out,
                "agent_active_sessions",
                "gauge",
                "Sessions within their time to live.",
                pool -> pool.sessions().size());
        each(
                out,
                "neuronetes_concurrent_sessions",
                "gauge",
                "The same as agent_active_sessions.",
                pool -> pool.sessions().size());
        each(
                out,
                "session_affinity_hit_ratio",
                "gauge",
                "Share of requests of known sessions that stayed on their replica.",
                pool -> pool.sessions().hitRatio());
    }

    private static double tokensInQueue(ServedPool pool) {
        long waiting = pool.replicas().stream().mapToLong(ServedReplica::unansweredTokens).sum();
        return (double) waiting + pool.heldTokens();
    }

    private void times(MetricsText out) {
        out.family("agent_ttft_ms", "histogram", "Time to the first token, in milliseconds.");
        table.pools()
                .forEach(pool -> out.histogram(pool.meter().firstTokenMillis(), 1, pool.name()));
        out.family("neuronetes_ttft_seconds", "histogram", "Time to the first token.");
        table.pools()
                .forEach(
                        pool ->
                                out.histogram(
                                        pool.meter().firstTokenMillis(), SECONDS, pool.name()));
        out.family(
                "gateway_inter_token_ms",
                "histogram",
                "Mean time between two tokens of an answer, in milliseconds.");
        table.pools()
                .forEach(pool -> out.histogram(pool.meter().interTokenMillis(), 1, pool.name()));
        out.family(
                "agent_latency_ms", "histogram", "Time to the end of the answer, in milliseconds.");
        table.pools().forEach(pool -> out.histogram(pool.meter().latencyMillis(), 1, pool.name()));
    }

    private void replicas(MetricsText out) {
        each(
                out,
                "gateway_replicas",
                "gauge",
                "Replicas that have an address.",
                pool -> pool.replicas().size());
        each(
                out,
                "gateway_replicas_ready",
                "gauge",
                "Replicas that get requests.",
                pool -> pool.replicas().stream().filter(ServedReplica::isReady).count());
        out.family(
                "gateway_scrape_failed", "gauge", "1 for a replica whose metrics cannot be read.");
        for (ServedPool pool : table.pools()) {
            for (ServedReplica replica : pool.replicas()) {
                if (!replica.scrapeProblem().isEmpty()) {
                    out.sample(1, "pool", pool.name(), "replica", replica.jobId());
                }
            }
        }
    }

    private void each(
            MetricsText out,
            String name,
            String type,
            String help,
            ToDoubleFunction<ServedPool> value) {
        out.family(name, type, help);
        table.pools().forEach(pool -> out.sample(value.applyAsDouble(pool), "pool", pool.name()));
    }
}
