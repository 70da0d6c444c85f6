package io.gpusched.gateway.scheduler;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.gateway.measure.LoadCounters;
import io.gpusched.gateway.pool.EngineReading;
import io.gpusched.gateway.pool.ReplicaInterval;
import io.gpusched.gateway.pool.ServedPool;
import io.gpusched.gateway.pool.ServedReplica;

import org.jspecify.annotations.Nullable;

/// What the scheduler is told about a pool. To be made on the thread of the loop.
///
/// @param upTo the counters that the report contains
/// @param madeAt when they were read, as [System#nanoTime]
record LoadReport(String pool, String json, LoadCounters upTo, long madeAt) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /// @param overMillis the time that the counts cover
    static LoadReport of(ServedPool pool, String source, long sequence, long overMillis, long now) {
        pool.sessions().expire(now, pool.config().serving().sessionTtl());
        LoadCounters upTo = pool.meter().counters();
        LoadCounters counts = pool.meter().unreported();
        ObjectNode report = JSON.createObjectNode();
        report.put("source", source).put("sequence", sequence).put("over_ms", overMillis);
        report.put("arrivals", counts.arrivals()).put("rejected", counts.rejected());
        report.put("prompt_tokens", counts.promptTokens());
        report.put("output_tokens", counts.outputTokens());
        report.put("held", pool.held()).put("held_tokens", pool.heldTokens());
        report.put("sessions", pool.sessions().size());
        report.put("context_tokens", pool.contextTokens());
        report.put("tool_calls", counts.toolCalls());
        report.put("answered", counts.answered()).put("within_slo", counts.withinSlo());
        report.put("ttft_p95_ms", rounded(pool.meter().takeFirstTokenP95Millis()));
        var replicas = report.putArray("replicas");
        for (ServedReplica replica : pool.replicas()) {
            replica(replicas.addObject(), replica);
        }
        return new LoadReport(pool.name(), report.toString(), upTo, now);
    }

    /// Requests and tokens are those that passed this gateway, because the scheduler adds up the
    /// reports of all gateways. What a replica says of itself would count once for each of them.
    private static void replica(ObjectNode out, ServedReplica replica) {
        EngineReading engine = replica.reading();
        ReplicaInterval interval = replica.interval();
        long waiting = waiting(replica, engine.waiting());
        out.put("job_id", replica.jobId()).put("ready", replica.isReady());
        out.put("running", replica.inFlight() - waiting);
        out.put("waiting", waiting);
        out.put("waiting_tokens", waitingTokens(replica, waiting));
        if (engine.kv() != null) {
            out.put("kv", engine.kv());
        }
        out.put("ttft_ms", time(interval.firstTokenMillis(), engine.firstTokenMillis()));
        out.put("itl_ms", time(interval.interTokenMillis(), engine.interTokenMillis()));
        out.put("prompt_tokens", interval.promptTokens());
        out.put("output_tokens", interval.outputTokens());
        interval.clear();
    }

    /// Requests without an answer that the replica has not begun, as far as it says so.
    private static long waiting(ServedReplica replica, @Nullable Double engine) {
        int unanswered = replica.unanswered();
        return engine == null ? unanswered : Math.min(unanswered, Math.round(engine));
    }

    /// The share of those requests in the prompt tokens without an answer.
    private static long waitingTokens(ServedReplica replica, long waiting) {
        int unanswered = replica.unanswered();
        return waiting >= unanswered
                ? replica.unansweredTokens()
                : replica.unansweredTokens() * waiting / unanswered;
    }

    /// The gateway's own measurement, or the replica's where the gateway has none.
    private static double time(double own, @Nullable Double engine) {
        return rounded(own > 0 || engine == null ? own : engine);
    }

    private static double rounded(double millis) {
        return Math.rint(millis * 1000) / 1000;
    }
}
