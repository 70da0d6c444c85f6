package io.gpusched.operator.pools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.KubeYaml;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Instant;
import java.util.List;

/// Statuses, from what the scheduler says.
final class PoolStatusTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final ObjectNode CHAT =
            KubeYaml.object(
                    "{metadata: {namespace: team-a, name: chat, generation: 3}, spec: {}, status:"
                            + " {}}");

    private static StatusContext of(ObjectNode object, PoolKind kind, PutResult outcome) {
        long generation = object.at("/metadata/generation").asLong();
        return new StatusContext(
                ObjectKey.of(kind, object), object, outcome, generation, List.of(), NOW);
    }

    private static ObjectNode pool(String row) {
        var accepted = new PutResult.Accepted(List.of());
        JsonNode found = row.isEmpty() ? MissingNode.getInstance() : KubeYaml.object(row);
        return new PoolStatus(of(CHAT, PoolKind.AGENT_POOL, accepted), "team-a.chat", found, true)
                .build();
    }

    private static String condition(ObjectNode status, String type) {
        return PoolsFixture.condition(KubeYaml.object("{}").set("status", status), type);
    }

    @Test
    void aPoolThatServesIsReady() {
        ObjectNode status =
                pool(
                        """
                        slo: {ttft_ms: 500}
                        scaling: {targets: [{metric: tokens-in-queue, target: "100"}, {metric: queue-depth, target: "5"}]}
                        status:
                          phase: ready
                          desired: 3
                          ready: 3
                          warm: 1
                          updated: 3
                          reason: the law recommends 3
                          decided_at: "2026-01-01T11:00:00.123Z"
                          cost_per_hour: 12.345
                          tokens_per_second: 1234.5
                          ttft_p95_ms: 311.1
                          tokens_in_queue: 57
                          sessions: 4
                          reported_at: "2026-01-01T11:59:59.9Z"
                        """);
        assertThat(status.without("conditions").toString())
                .isEqualTo(
                        "{\"observedGeneration\":3,\"phase\":\"Ready\",\"pool\":\"team-a.chat\","
                            + "\"selector\":\"neuronetes.io/pool=chat\",\"replicas\":3,"
                            + "\"readyReplicas\":3,\"desiredReplicas\":3,\"prewarmedReplicas\":1,\"warmReplicas\":1,\"updatedReplicas\":3,\"reason\":\"the"
                            + " law recommends 3\",\"currentCostPerHour\":\"12.35\","
                            + "\"currentTokensPerSecond\":1200.0,\"activeSessions\":4,"
                            + "\"currentMetrics\":[{\"type\":\"tokens-in-queue\",\"current\":\"57\","
                            + "\"target\":\"100\",\"timestamp\":\"2026-01-01T11:59:59Z\"},"
                            + "{\"type\":\"ttft-p95\",\"current\":\"310\",\"target\":\"500\","
                            + "\"timestamp\":\"2026-01-01T11:59:59Z\"}],"
                            + "\"lastScaleTime\":\"2026-01-01T11:00:00Z\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{status: {phase: ready, desired: 2, ready: 2}} | True ReplicasReady: 2 of 2"
                        + " replicas are ready | False Settled: | False AsExpected:",
                "{status: {phase: stopped, desired: 0}} | True ReplicasReady: 0 of 0 replicas are"
                        + " ready | False Settled: | False AsExpected:",
                "{status: {phase: scaling, desired: 2, ready: 1, reason: grow}} | False Scaling: 1"
                        + " of 2 replicas are ready | True Scaling: grow | False AsExpected:",
                "{status: {phase: degraded, desired: 2, ready: 1, failure: exit 1}} | False"
                    + " Degraded: 1 of 2 replicas are ready | True Scaling: | True ReplicasFail:"
                    + " exit 1",
                "{status: {phase: degraded, desired: 2, lapse: no GPU}} | False Degraded: 0 of 2"
                        + " replicas are ready | True Scaling: | True NoCapacity: no GPU",
                "{status: {phase: degraded, desired: 2, ready: 2, stale: true}} | False Degraded: 2"
                        + " of 2 replicas are ready | True Scaling: | True LoadUnknown: nobody has"
                        + " reported the load of the pool",
                "{status: {phase: scaling, desired: 2, ready: 2, update: 1 of 2}} | False Scaling:"
                        + " 2 of 2 replicas are ready | True Updating: 1 of 2 | False AsExpected:",
                "{status: {phase: ready, desired: 2, ready: 2, update: stopped, update_stopped:"
                    + " true}} | True ReplicasReady: 2 of 2 replicas are ready | False Settled: |"
                    + " True UpdateStopped: stopped",
                "'' | False Applying: the scheduler has taken the pool | True Applying: the"
                        + " scheduler has taken the pool | False AsExpected:"
            })
    void conditionsSayWhy(String row, String ready, String reconciling, String degraded) {
        ObjectNode status = pool(row);
        assertThat(condition(status, "Ready")).isEqualTo(ready);
        assertThat(condition(status, "Reconciling").strip()).isEqualTo(reconciling);
        assertThat(condition(status, "Degraded").strip()).isEqualTo(degraded);
        assertThat(condition(status, "Stalled")).isEmpty();
    }

    @Test
    void aConditionKeepsItsTimeUntilItChanges() {
        ObjectNode before = CHAT.deepCopy();
        before.set("status", pool("{status: {phase: ready, desired: 2, ready: 2}}"));
        var of =
                new StatusContext(
                        ObjectKey.of(PoolKind.AGENT_POOL, before),
                        before,
                        new PutResult.Accepted(List.of()),
                        3,
                        List.of(),
                        NOW.plusSeconds(60));
        JsonNode row = KubeYaml.object("{status: {phase: scaling, desired: 3, ready: 2}}");
        JsonNode conditions = new PoolStatus(of, "c", row, true).build().path("conditions");
        assertThat(conditions)
                .extracting(
                        each ->
                                each.path("type").asText()
                                        + each.path("lastTransitionTime").asText())
                .containsExactly(
                        "Ready2026-01-01T12:01:00Z",
                        "Reconciling2026-01-01T12:01:00Z",
                        "Degraded2026-01-01T12:00:00Z");
    }

    @Test
    void aModelTellsWhichNodesHoldIt() {
        ObjectNode model =
                KubeYaml.object(
                        """
                        metadata: {namespace: team-a, name: llama, generation: 1}
                        status:
                          cachedNodes: [{nodeName: n1, status: ready, cachedAt: "2025-12-31T00:00:00Z"}]
                        """);
        JsonNode row =
                KubeYaml.object(
                        """
                        uri: https://models/llama
                        size_bytes: 100
                        status:
                          nodes:
                          - {node_id: n1, state: cached, wanted: true, why: pool chat keeps it, bytes: 1610612736, last_used: "2026-01-01T10:00:00.5Z"}
                          - {node_id: n2, state: cached, bytes: 512}
                          - {node_id: n3, state: wanted, wanted: true}
                          - {node_id: n4, state: failed, problem: status 404}
                          - {node_id: n5, state: evicting}
                        """);
        var of = of(model, PoolKind.MODEL, new PutResult.Accepted(List.of()));
        ObjectNode status = new ModelStatus(of, "team-a.llama", row).build();
        assertThat(status.path("cachedNodes").toString())
                .isEqualTo(
                        "[{\"nodeName\":\"n1\",\"status\":\"ready\","
                            + "\"cachedAt\":\"2025-12-31T00:00:00Z\",\"size\":\"1.5Gi\",\"reason\":\"pool"
                            + " chat keeps it\"},{\"nodeName\":\"n2\",\"status\":\"ready\","
                            + "\"cachedAt\":\"2026-01-01T12:00:00Z\",\"size\":\"512\"},"
                            + "{\"nodeName\":\"n3\",\"status\":\"loading\"},{\"nodeName\":\"n4\",\"status\":\"failed\",\"message\":\"status"
                            + " 404\"},{\"nodeName\":\"n5\",\"status\":\"evicting\"}]");
        assertThat(status.path("phase").asText()).isEqualTo("Ready");
        assertThat(status.path("cachedNodeCount").asInt()).isEqualTo(2);
        assertThat(status.path("lastUsed").asText()).isEqualTo("2026-01-01T10:00:00Z");
        assertThat(condition(status, "Degraded")).isEqualTo("True LoadFailed: n4: status 404");
        assertThat(condition(status, "Reconciling")).startsWith("True Loading");
    }
}
