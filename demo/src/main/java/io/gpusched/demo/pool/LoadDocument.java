package io.gpusched.demo.pool;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.sim.replica.ReplicaCounts;
import io.gpusched.sim.replica.SimulatedReplica;

import java.util.List;

/// A report of load, as `POST /api/v1/pools/{name}/load` takes it.
///
/// @param held requests that wait for a replica
/// @param within answered requests that met the objectives
/// @param firstTokenMillis the 95th percentile; 0 when no first token was sent
record LoadDocument(
        long sequence,
        long overMillis,
        int arrivals,
        long promptTokens,
        long outputTokens,
        int held,
        long heldTokens,
        int answered,
        int within,
        long firstTokenMillis,
        List<Replica> replicas) {
    private static final String SOURCE = "demo";

    /// What one replica did.
    record Replica(
            String job,
            boolean ready,
            int running,
            int waiting,
            long waitingTokens,
            double kv,
            int firstTokenMillis,
            double interTokenMillis,
            long promptTokens,
            long outputTokens) {
        static Replica of(String job, boolean ready, SimulatedReplica replica) {
            ReplicaCounts counts = replica.counts();
            return new Replica(
                    job,
                    ready,
                    replica.running(),
                    replica.waiting(),
                    replica.waitingTokens(),
                    replica.kvPermille() / 1000.0,
                    counts.firstTokenMillis(),
                    counts.interTokenMicros() / 1000.0,
                    counts.promptTokens(),
                    counts.outputTokens());
        }

        private ObjectNode json() {
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("job_id", job)
                    .put("ready", ready)
                    .put("running", running)
                    .put("waiting", waiting)
                    .put("waiting_tokens", waitingTokens)
                    .put("kv", kv)
                    .put("ttft_ms", firstTokenMillis)
                    .put("itl_ms", interTokenMillis)
                    .put("prompt_tokens", promptTokens)
                    .put("output_tokens", outputTokens);
        }
    }

    /// @param began distinguishes this run of the demo from earlier ones with the same data
    String json(long began) {
        ObjectNode json =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("source", SOURCE)
                        .put("sequence", began + sequence)
                        .put("over_ms", overMillis)
                        .put("arrivals", arrivals)
                        .put("prompt_tokens", promptTokens)
                        .put("output_tokens", outputTokens)
                        .put("held", held)
                        .put("held_tokens", heldTokens)
                        .put("sessions", 0)
                        .put("answered", answered)
                        .put("within_slo", within)
                        .put("ttft_p95_ms", firstTokenMillis);
        var list = json.putArray("replicas");
        replicas.forEach(replica -> list.add(replica.json()));
        return json.toString();
    }
}
