package io.gpusched.operator.pools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Custom resources of a cluster and pools of a scheduler.
@Timeout(120)
@SuppressWarnings("NullAway.Init")
final class PoolReconcilerTest {
    private static final String CHAT =
            """
            kind: AgentPool
            metadata: {name: chat}
            spec:
              agentClassRef: {name: assistant}
              minReplicas: 1
              maxReplicas: 4
              template:
                spec:
                  containers:
                  - {name: serve, image: vllm, resources: {limits: {nvidia.com/gpu: 2, cpu: 500m}}}
            """;
    private static final String CLASS =
            """
            kind: AgentClass
            metadata: {name: assistant}
            spec: {modelRef: {name: llama}, slo: {ttft: 500ms}}
            """;
    private static final String MODEL =
            """
            kind: Model
            metadata: {name: llama}
            spec: {weightsURI: "https://models/llama", size: 16Gi}
            """;
    private static final String BINDING =
            """
            kind: ToolBinding
            metadata: {name: work}
            spec:
              agentPoolRef: {name: chat}
              queueConfig: {provider: redis, connectionString: "%s", queueName: work, maxLagThreshold: 5}
            """;
    private static final PoolKind POOL = PoolKind.AGENT_POOL;

    @TempDir Path data;

    private PoolsFixture fixture;

    @BeforeEach
    void start() {
        fixture = new PoolsFixture(data);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private static String withReplicas(int replicas) {
        return "kind: AgentPool\nmetadata: {name: chat}\nspec: {replicas: " + replicas + "}\n";
    }

    private JsonNode atScheduler(String pool) {
        return fixture.ask("/api/v1/pools/" + pool);
    }

    @Test
    void aPoolIsPutWithItsClassAndItsModel() {
        fixture.apply("team-a", CHAT + "---\n" + CLASS + "---\n" + MODEL);
        fixture.turns();

        JsonNode pool = atScheduler("team-a.chat");
        assertThat(pool.path("tenant_id").asText()).isEqualTo("team-a");
        assertThat(pool.path("model").asText()).isEqualTo("team-a.llama");
        assertThat(pool.at("/slo/ttft_ms").asInt()).isEqualTo(500);
        assertThat(pool.at("/replica/gpu_count").asInt()).isEqualTo(2);
        assertThat(pool.at("/replica/image").asText()).isEqualTo("vllm");

        assertThat(pool.at("/replica/cpu_milli").asInt()).isEqualTo(500);
        assertThat(pool.at("/replica/attachment").asText())
                .startsWith("{\"kind\":\"template\"")
                .contains("\"namespace\":\"team-a\"");

        JsonNode status = fixture.pool("team-a", "chat").path("status");
        assertThat(status.path("observedGeneration").asInt()).isEqualTo(1);
        assertThat(status.path("phase").asText()).isEqualTo("Scaling");
        assertThat(status.path("pool").asText()).isEqualTo("team-a.chat");
        assertThat(status.path("desiredReplicas").asInt()).isEqualTo(1);
        assertThat(status.path("selector").asText()).isEqualTo("neuronetes.io/pool=chat");
        JsonNode agentClass = fixture.object(PoolKind.AGENT_CLASS, "team-a", "assistant");
        assertThat(agentClass.at("/status/activePools/0").asText()).isEqualTo("team-a/chat");
        assertThat(PoolsFixture.condition(agentClass, "Ready"))
                .isEqualTo("True Accepted: the scheduler has taken it");
        JsonNode model = fixture.object(PoolKind.MODEL, "team-a", "llama");
        assertThat(model.at("/status/phase").asText()).isEqualTo("Pending");
        assertThat(PoolsFixture.condition(model, "Ready")).startsWith("True Declared");
    }

    @Test
    void everyPublishedManifestIsTakenAndSaysWhatHasNoEffect() {
        PublishedManifests.blocks().forEach(block -> fixture.apply("guide", block));
        fixture.apply("odd", PublishedManifests.odd());
        fixture.turns();
        for (PoolKind kind : PoolKind.values()) {
            for (JsonNode object : fixture.cluster.all(kind.type())) {
                assertThat(PoolsFixture.condition(object, "Stalled"))
                        .as(object.toString())
                        .isEmpty();
                assertThat(object.at("/status/observedGeneration").asInt()).isEqualTo(1);
            }
        }
        JsonNode chat = fixture.pool("odd", "chat");
        assertThat(PoolsFixture.condition(chat, "Warning"))
                .startsWith("True FieldsIgnored: ")
                .contains("strategy is accepted and has no effect");
        assertThat(PoolsFixture.condition(chat, "Ready")).startsWith("False NothingToRun: ");
        assertThat(atScheduler("odd.chat").at("/status/desired").asInt()).isZero();
    }

    @Test
    void aStatusIsWrittenOnlyWhenItChanges() {
        fixture.apply("team-a", CHAT + "---\n" + CLASS + "---\n" + MODEL);
        fixture.turns();
        long before = fixture.cluster.requests("patch agentpools/status.neuronetes.io");
        assertThat(before).isPositive();
        fixture.turns(20, Duration.ofSeconds(40));
        assertThat(fixture.cluster.requests("patch agentpools/status.neuronetes.io"))
                .isEqualTo(before);
    }

    @Test
    void whatIsRefusedIsToldWithItsFieldUntilItIsChanged() {
        String wrong = CHAT.replace("minReplicas: 1", "minReplicas: 9");
        fixture.apply("team-a", wrong);
        fixture.turns();
        JsonNode pool = fixture.pool("team-a", "chat");
        assertThat(PoolsFixture.condition(pool, "Stalled"))
                .isEqualTo(
                        "True Refused: spec.minReplicas: Invalid request body:"
                                + " AgentPool/team-a.chat: min_replicas is 9, which is more than"
                                + " max_replicas, 4; raise max_replicas to at least 9, or lower"
                                + " min_replicas");
        assertThat(pool.at("/status/phase").asText()).isEqualTo("Failed");
        assertThat(fixture.events()).hasSize(1).first().asString().startsWith("Refused: spec.min");
        fixture.turns(10, Duration.ofMinutes(1));
        assertThat(fixture.events()).hasSize(1);

        fixture.apply("team-a", CHAT);
        fixture.turns();
        assertThat(PoolsFixture.condition(fixture.pool("team-a", "chat"), "Stalled")).isEmpty();
        assertThat(atScheduler("team-a.chat").path("max_replicas").asInt()).isEqualTo(4);
    }

    @Test
    void wrongTypesAreRefusedAndNothingElseStops() {
        fixture.apply("team-a", CHAT);
        fixture.apply(
                "team-b",
                """
                kind: AgentPool
                metadata: {name: chat}
                spec: {gpuRequirements: {memory: {much: true}}, autoscaling: {metrics: [{type: ttft-p95, target: soon}]}}
                """);
        fixture.apply(
                "team-b",
                "kind: Model\nmetadata: {name: m}\nspec: {size: huge, weightsURI: s3://m}\n");
        fixture.turns();
        assertThat(PoolsFixture.condition(fixture.pool("team-b", "chat"), "Stalled"))
                .contains("memory")
                .contains("target must be a number over 0");
        assertThat(PoolsFixture.condition(fixture.object(PoolKind.MODEL, "team-b", "m"), "Stalled"))
                .contains("size must be a size, found \"huge\"");
        assertThat(atScheduler("team-a.chat").isMissingNode()).isFalse();
    }

    @Test
    void poolsOfOneNameInTwoNamespacesAreTwoPools() {
        fixture.apply("team-a", CHAT);
        fixture.apply("team-b", CHAT.replace("maxReplicas: 4", "maxReplicas: 7"));
        fixture.turns();
        assertThat(atScheduler("team-a.chat").path("max_replicas").asInt()).isEqualTo(4);
        assertThat(atScheduler("team-b.chat").path("max_replicas").asInt()).isEqualTo(7);
        assertThat(atScheduler("team-b.chat").path("tenant_id").asText()).isEqualTo("team-b");
    }

    @Test
    void aMissingReferenceIsAConditionUntilItIsThere() {
        fixture.apply(
                "team-a", CHAT + "---\n" + BINDING.formatted("redis://q").replace("chat", "talk"));
        fixture.turns();
        assertThat(PoolsFixture.condition(fixture.pool("team-a", "chat"), "Degraded"))
                .isEqualTo("True ReferenceMissing: AgentClass team-a/assistant does not exist");
        JsonNode binding = fixture.object(PoolKind.TOOL_BINDING, "team-a", "work");
        assertThat(binding.at("/status/phase").asText()).isEqualTo("Pending");
        assertThat(PoolsFixture.condition(binding, "Ready"))
                .isEqualTo("False ReferenceMissing: AgentPool team-a/talk does not exist");

        fixture.apply("team-a", CLASS);
        fixture.turns();
        assertThat(PoolsFixture.condition(fixture.pool("team-a", "chat"), "Degraded"))
                .isEqualTo("True ReferenceMissing: Model team-a/llama does not exist");

        fixture.apply("team-a", MODEL);
        fixture.turns();
        assertThat(PoolsFixture.condition(fixture.pool("team-a", "chat"), "Degraded"))
                .doesNotContain("ReferenceMissing");
        fixture.apply("team-a", CLASS.replace("500ms", "2s"));
        fixture.turns();
        assertThat(atScheduler("team-a.chat").at("/slo/ttft_ms").asInt()).isEqualTo(2_000);
    }

    @Test
    void aClassOfAnotherTenantDoesNotCount() {
        fixture.apply("agents", CLASS + "---\n" + MODEL);
        fixture.apply(
                "team-a",
                CHAT.replace("{name: assistant}", "{name: assistant, namespace: agents}"));
        fixture.turns();
        assertThat(PoolsFixture.condition(fixture.pool("team-a", "chat"), "Degraded"))
                .isEqualTo(
                        "True ReferenceMissing: AgentClass agents/assistant belongs to another"
                                + " tenant; copy it here");
    }

    @Test
    void aModelThatAnAdministratorDeclaredIsFound() {
        fixture.ask("PUT", "/api/v1/models/llama", "{\"uri\": \"https://shared/llama\"}");
        fixture.apply("team-a", CHAT + "---\n" + CLASS);
        fixture.turns();
        assertThat(atScheduler("team-a.chat").path("model").asText()).isEqualTo("llama");
        fixture.apply("team-a", MODEL);
        fixture.turns();
        assertThat(atScheduler("team-a.chat").path("model").asText()).isEqualTo("team-a.llama");
    }

    @Test
    void scalingByHandHoldsThePool() {
        fixture.apply("team-a", CHAT);
        fixture.turns();
        fixture.apply("team-a", withReplicas(3));
        fixture.turns();
        JsonNode held = atScheduler("team-a.chat").path("status");
        assertThat(held.path("held_at").asInt()).isEqualTo(3);
        assertThat(held.path("hold_reason").asText())
                .isEqualTo("spec.replicas of AgentPool team-a/chat");
        assertThat(fixture.pool("team-a", "chat").at("/status/heldAt").asInt()).isEqualTo(3);

        fixture.apply("team-a", withReplicas(5));
        fixture.turns();
        assertThat(PoolsFixture.condition(fixture.pool("team-a", "chat"), "Stalled"))
                .contains("spec.replicas: expected 0 to max_replicas, 4, found 5");

        fixture.apply("team-a", withReplicas(0).replace("0", "null"));
        fixture.turns();
        assertThat(atScheduler("team-a.chat").path("status").has("held_at")).isFalse();
    }

    @Test
    void aHoldOfSomebodyElseStays() {
        fixture.apply("team-a", CHAT);
        fixture.turns();
        fixture.ask(
                "POST",
                "/api/v1/pools/team-a.chat/scale",
                "{\"replicas\": 2, \"reason\": \"launch\"}");
        fixture.turns(20, Duration.ofMinutes(1));
        assertThat(atScheduler("team-a.chat").at("/status/held_at").asInt()).isEqualTo(2);
    }

    @Test
    void whatIsDeletedIsRemovedFromTheScheduler() {
        fixture.apply(
                "team-a",
                CHAT
                        + "---\n"
                        + CLASS
                        + "---\n"
                        + MODEL
                        + "---\n"
                        + BINDING.formatted("redis://q"));
        fixture.turns();
        assertThat(fixture.ask("/api/v1/bindings/team-a.work").path("pool").asText())
                .isEqualTo("team-a.chat");
        fixture.delete(PoolKind.MODEL, "team-a", "llama");
        fixture.delete(PoolKind.AGENT_CLASS, "team-a", "assistant");
        fixture.delete(PoolKind.TOOL_BINDING, "team-a", "work");
        fixture.delete(POOL, "team-a", "chat");
        fixture.turns();
        for (PoolKind kind : PoolKind.values()) {
            assertThat(fixture.cluster.all(kind.type())).as(kind.text()).isEmpty();
        }
        for (String path :
                List.of(
                        "pools/team-a.chat",
                        "classes/team-a.assistant",
                        "models/team-a.llama",
                        "bindings/team-a.work")) {
            assertThat(fixture.ask("/api/v1/" + path).isMissingNode()).as(path).isTrue();
        }
        assertThat(fixture.events()).noneMatch(each -> each.startsWith("RemovalTimedOut"));
    }

    @Test
    void aDeletedObjectDoesNotWaitForASchedulerForEver() {
        fixture.apply("team-a", CHAT);
        fixture.turns();
        fixture.stopScheduler();
        fixture.delete(POOL, "team-a", "chat");
        fixture.turns(3, Duration.ofSeconds(20));
        assertThat(fixture.pool("team-a", "chat").isEmpty()).isFalse();
        fixture.later();
        fixture.turns();
        assertThat(fixture.pool("team-a", "chat").isEmpty()).isTrue();
        assertThat(fixture.events())
                .last()
                .asString()
                .startsWith("RemovalTimedOut: let go before the scheduler has removed team-a.chat")
                .endsWith("look at it with gpu-cli pool show team-a.chat");

        fixture.startScheduler();
        fixture.turns(5, Duration.ofSeconds(40));
        assertThat(atScheduler("team-a.chat").isMissingNode()).isTrue();
    }

    @Test
    void aPoolThatTheSchedulerLostIsPutAgain() {
        fixture.apply("team-a", CHAT);
        fixture.turns();
        fixture.ask("DELETE", "/api/v1/pools/team-a.chat", "");
        fixture.turns();
        assertThat(atScheduler("team-a.chat").path("max_replicas").asInt()).isEqualTo(4);
    }

    @Test
    void whileTheSchedulerIsAwayTheStatusSaysSo() {
        fixture.stopScheduler();
        fixture.apply("team-a", CHAT);
        fixture.turns();
        JsonNode pool = fixture.pool("team-a", "chat");
        assertThat(PoolsFixture.condition(pool, "Ready"))
                .startsWith("Unknown SchedulerUnreachable: no answer from");
        assertThat(PoolsFixture.condition(pool, "Reconciling")).startsWith("True");
        assertThat(pool.path("status").has("observedGeneration")).isFalse();
        fixture.startScheduler();
        fixture.turns(5, Duration.ofSeconds(40));
        assertThat(atScheduler("team-a.chat").isMissingNode()).isFalse();
        assertThat(PoolsFixture.condition(fixture.pool("team-a", "chat"), "Ready"))
                .startsWith("False Scaling");
    }

    @Test
    void aStatusIsNotBelievedWhenTheSchedulerIsAwayForLong() {
        fixture.apply("team-a", CHAT);
        fixture.turns();
        fixture.stopScheduler();
        fixture.turns(2, Duration.ofSeconds(20));
        assertThat(PoolsFixture.condition(fixture.pool("team-a", "chat"), "Ready"))
                .startsWith("False Scaling");
        fixture.turns(3, Duration.ofSeconds(40));
        assertThat(PoolsFixture.condition(fixture.pool("team-a", "chat"), "Ready"))
                .startsWith("Unknown SchedulerUnreachable");
        fixture.startScheduler();
        fixture.turns(3, Duration.ofSeconds(40));
        assertThat(PoolsFixture.condition(fixture.pool("team-a", "chat"), "Ready"))
                .startsWith("False Scaling");
    }

    @Test
    void anotherOperatorChangesNothing() {
        fixture.apply("team-a", CHAT + "---\n" + CLASS + "---\n" + MODEL);
        fixture.turns(5, Duration.ofSeconds(40));
        JsonNode before = fixture.pool("team-a", "chat").deepCopy();
        long written = fixture.cluster.requests("patch agentpools/status.neuronetes.io");
        fixture.restartOperator();
        fixture.turns();
        assertThat(fixture.pool("team-a", "chat")).isEqualTo(before);
        assertThat(fixture.cluster.requests("patch agentpools/status.neuronetes.io"))
                .isEqualTo(written);
    }

    @Test
    void aSecretOfTheGatewayIsNotForEverybody() {
        fixture.apply("team-a", BINDING.formatted("env:ADMIN_TOKEN"));
        fixture.turns();
        JsonNode binding = fixture.object(PoolKind.TOOL_BINDING, "team-a", "work");
        assertThat(PoolsFixture.condition(binding, "Stalled"))
                .startsWith(
                        "True Refused: spec.queueConfig.connectionString: only an administrator");
        assertThat(fixture.ask("/api/v1/bindings/team-a.work").isMissingNode()).isTrue();
    }

    @Test
    void poolsOfAnotherClusterAreLeftAlone() {
        fixture.ask(
                "PUT",
                "/api/v1/pools/team-a.chat",
                """
                {"replica": {"command": ["serve"], "labels": {"gpu-scheduler.io/cluster": "other"}}}
                """);
        fixture.apply("team-a", CHAT);
        fixture.turns();
        assertThat(PoolsFixture.condition(fixture.pool("team-a", "chat"), "Stalled"))
                .contains("the scheduler has a pool team-a.chat of another cluster");
        fixture.delete(POOL, "team-a", "chat");
        fixture.turns();
        assertThat(fixture.pool("team-a", "chat").isEmpty()).isTrue();
        assertThat(atScheduler("team-a.chat").path("tenant_id").asText()).isEqualTo("default");
    }
}
