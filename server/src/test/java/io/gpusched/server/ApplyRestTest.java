package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;

/// Manifests and bindings over REST.
@Timeout(120)
@SuppressWarnings("NullAway.Init")
final class ApplyRestTest {
    private static final String SECRET = "redis://:hunter2@queue:6379";
    private static final String ALL =
            """
            apiVersion: neuronetes.io/v1alpha1
            kind: AgentPool
            metadata: {name: chat}
            spec:
              agentClassRef: {name: assistant}
              minReplicas: 0
              maxReplicas: 4
              replica: {command: [serve]}
            ---
            apiVersion: neuronetes.io/v1alpha1
            kind: AgentClass
            metadata: {name: assistant}
            spec:
              modelRef: {name: llama}
              slo: {ttft: 500ms}
            ---
            apiVersion: neuronetes.io/v1alpha1
            kind: Model
            metadata: {name: llama}
            spec: {weightsURI: s3://m, size: 16Gi}
            ---
            apiVersion: neuronetes.io/v1alpha1
            kind: ToolBinding
            metadata: {name: work}
            spec:
              agentPoolRef: {name: chat}
              type: queue
              queueConfig: {provider: redis, connectionString: "%s", queueName: work,
                autoscaleOnLag: true, maxLagThreshold: 50, prefetchCount: 10}
            """
                    .formatted(SECRET);

    @TempDir Path data;

    private Running rest;

    @BeforeEach
    void start() {
        rest = Running.in(data);
    }

    @AfterEach
    void stop() {
        rest.close();
    }

    private Running.Answered apply(String text) {
        return rest.post("/api/v1/apply", text);
    }

    private JsonNode pool() {
        return rest.get("/api/v1/pools/chat").json();
    }

    @Test
    void manifestsAreAppliedTogether() {
        var dry = rest.post("/api/v1/apply?dry_run=true", ALL);
        assertThat(dry.status()).as(dry.text()).isEqualTo(200);
        assertThat(rest.get("/api/v1/pools/chat").status()).isEqualTo(404);

        var applied = apply(ALL);
        assertThat(applied.json().get("applied").toString())
                .isEqualTo(
                        "[{\"kind\":\"AgentPool\",\"name\":\"chat\",\"action\":\"created\"},"
                            + "{\"kind\":\"AgentClass\",\"name\":\"assistant\",\"action\":\"created\"},"
                            + "{\"kind\":\"Model\",\"name\":\"llama\",\"action\":\"created\"},"
                            + "{\"kind\":\"ToolBinding\",\"name\":\"work\",\"action\":\"created\"}]");
        assertThat(pool().get("model").asText()).isEqualTo("llama");
        assertThat(pool().at("/slo/ttft_ms").asInt()).isEqualTo(500);
        assertThat(pool().at("/scaling/law").asText()).isEqualTo("slo");
        assertThat(pool().at("/scaling/queue/max_lag").asInt()).isEqualTo(50);
        assertThat(apply(ALL).text()).doesNotContain("created").doesNotContain("\"changed\"");
    }

    @Test
    void aPartOfAManifestChangesThePoolOfItsName() {
        apply(ALL);
        String part = "carbonAware: {maxCarbonIntensity: 90}\n";
        var nameless = apply(part);
        assertThat(nameless.status()).isEqualTo(400);
        assertThat(nameless.text()).contains("--name");
        var changed = rest.post("/api/v1/apply?name=chat", part);
        assertThat(changed.json().get("warnings").toString())
                .contains("spec.scheduling of an AgentPool named chat");
        assertThat(pool().at("/carbon/max_carbon_intensity").asInt()).isEqualTo(90);
        assertThat(pool().at("/max_replicas").asInt()).isEqualTo(4);
        assertThat(pool().get("model").asText()).isEqualTo("llama");
        var exists = rest.post("/api/v1/apply?name=assistant", "slo: {ttft: 1s}\n");
        assertThat(exists.text()).contains("AgentClass/assistant exists");
    }

    @Test
    void aChangedClassChangesItsPools() {
        apply(ALL);
        apply("kind: AgentClass\nmetadata: {name: assistant}\nspec: {slo: {ttft: 2s}}\n");
        assertThat(pool().at("/slo/ttft_ms").asInt()).isEqualTo(2000);
        rest.close();
        rest = Running.in(data);
        apply("kind: AgentClass\nmetadata: {name: assistant}\nspec: {slo: {ttft: 3s}}\n");
        assertThat(pool().at("/slo/ttft_ms").asInt()).isEqualTo(3000);
    }

    @Test
    void aClassOrModelInUseIsOnlyDeletedByForce() {
        apply(ALL);
        assertThat(rest.get("/api/v1/classes").json().at("/classes/0").toString())
                .isEqualTo(
                        "{\"name\":\"assistant\",\"tenant_id\":\"default\",\"model\":\"llama\","
                                + "\"slo\":{\"ttft_ms\":500,\"percent\":99},\"profile\":{},"
                                + "\"pools\":[\"chat\"]}");
        var refused = rest.delete("/api/v1/classes/assistant");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).contains("agent class assistant is used by chat");
        assertThat(rest.delete("/api/v1/models/llama").text())
                .contains("model llama is served by chat");

        assertThat(rest.delete("/api/v1/classes/assistant?force=true").status()).isEqualTo(200);
        assertThat(rest.delete("/api/v1/models/llama?force=true").status()).isEqualTo(200);
        assertThat(rest.get("/api/v1/classes/assistant").status()).isEqualTo(404);
        assertThat(rest.delete("/api/v1/classes/assistant").status()).isEqualTo(404);
        assertThat(rest.get("/api/v1/models/llama").status()).isEqualTo(404);
        assertThat(pool().at("/slo/ttft_ms").asInt()).isEqualTo(500);
        rest.close();
        rest = Running.in(data);
        assertThat(rest.get("/api/v1/classes").json().get("total").asInt()).isZero();
    }

    @Test
    void aPoolMayComeBeforeItsClass() {
        var early =
                apply(
                        "kind: AgentPool\n"
                            + "metadata: {name: chat}\n"
                            + "spec: {minReplicas: 0, agentClassRef: {name: assistant}, replica:"
                            + " {}}\n");
        assertThat(early.json().get("warnings").toString()).contains("no AgentClass assistant yet");
        apply("kind: AgentClass\nmetadata: {name: assistant}\nspec: {slo: {ttft: 1s}}\n");
        assertThat(pool().at("/scaling/law").asText()).isEqualTo("slo");
    }

    @Test
    void oneWrongManifestRefusesAll() {
        var refused =
                apply(
                        """
                        kind: Pool
                        name: good
                        replica: {}
                        ---
                        kind: Pool
                        name: bad
                        replica: {}
                        scaling: {law: magic}
                        """);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(rest.get("/api/v1/pools").json().get("total").asInt()).isZero();
        assertThat(apply("a: &x [1]\nb: *x\n").text()).contains("alias");
        assertThat(apply("kind: Pool\nkind: Pool\n").text()).contains("twice");
        assertThat(apply("").status()).isEqualTo(400);
    }

    @Test
    void aConnectionIsShownToGatewaysAndAdministratorsOnDemandOnly() {
        apply(ALL);
        String path = "/api/v1/bindings/work";
        assertThat(rest.get(path).json().get("connection").asText()).isEqualTo("***");
        assertThat(rest.get("/api/v1/bindings").text()).doesNotContain("hunter2");
        assertThat(rest.get(path + "?secrets=true").text()).contains(SECRET);
        String gateway = rest.post("/api/v1/gateways/tokens", "").field("token");
        String member = rest.post("/api/v1/tenants/default/tokens", "").field("token");
        rest.as(gateway);
        assertThat(rest.get("/api/v1/bindings?secrets=true").text()).contains(SECRET);
        rest.as(member);
        assertThat(rest.get(path).text()).contains("***");
        assertThat(rest.get(path + "?secrets=true").status()).isEqualTo(403);
        rest.asAdmin();
        assertThat(rest.get("/api/v1/events").text()).doesNotContain("hunter2");
        assertThat(rest.get("/api/v1/pools/chat/explain").text()).doesNotContain("hunter2");
    }

    @Test
    void aBindingIsChangedAndRemovedWithItsRule() {
        apply(ALL);
        String path = "/api/v1/bindings/work";
        var changed =
                rest.send(
                        "PUT",
                        path,
                        "{\"pool\": \"chat\", \"provider\": \"redis\", \"connection\": \"***\","
                                + " \"queue\": \"work\", \"max_lag\": 7}",
                        Map.of());
        assertThat(changed.field("action")).isEqualTo("changed");
        assertThat(rest.get(path + "?secrets=true").text()).contains(SECRET);
        assertThat(pool().at("/scaling/queue/max_lag").asInt()).isEqualTo(7);
        assertThat(rest.delete(path).status()).isEqualTo(200);
        assertThat(rest.get(path).status()).isEqualTo(404);
        assertThat(pool().path("scaling").has("queue")).isFalse();
        assertThat(pool().at("/scaling/law").asText()).isEqualTo("slo");
    }

    @Test
    void onlyAnAdministratorNamesServersOfKafka() {
        apply(ALL);
        String tenant = rest.post("/api/v1/tenants/default/tokens", "").field("token");
        rest.as(tenant);
        Running.Answered refused = putWork("kafka", "kafka://10.0.0.9:9092");
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.text()).contains("only an administrator", "api.tenant_kafka_bindings");
        assertThat(apply(ALL.replace("provider: redis", "provider: kafka")).text())
                .contains("only an administrator may create a binding of Kafka");
        assertThat(putWork("redis", "kafka://10.0.0.9:9092").status()).isEqualTo(200);
        assertThat(putWork("kafka", "kafka://10.0.0.9:9092").status())
                .as("first as another provider's connection")
                .isEqualTo(400);
        rest.asAdmin();
        assertThat(putWork("kafka", "kafka://10.0.0.8:9092").status()).isEqualTo(200);
        rest.as(tenant);
        assertThat(putWork("kafka", "kafka://10.0.0.8:9092").status())
                .as("the same connection")
                .isEqualTo(200);
        assertThat(putWork("kafka", "kafka://10.0.0.9:9092").status()).isEqualTo(400);
    }

    private Running.Answered putWork(String provider, String connection) {
        return rest.send(
                "PUT",
                "/api/v1/bindings/work",
                "{\"pool\": \"chat\", \"provider\": \"%s\", \"connection\": \"%s\", \"queue\": \"work\"}"
                        .formatted(provider, connection),
                Map.of());
    }

    @Test
    void onlyAnAdministratorNamesSecretsOfTheGateway() {
        apply(ALL);
        rest.as(rest.post("/api/v1/tenants/default/tokens", "").field("token"));
        for (String connection : new String[] {"env:ADMIN_PASSWORD", "file:/etc/secret"}) {
            var put =
                    rest.send(
                            "PUT",
                            "/api/v1/bindings/work",
                            "{\"pool\": \"chat\", \"provider\": \"redis\", \"connection\": \"%s\","
                                            .formatted(connection)
                                    + " \"queue\": \"work\"}",
                            Map.of());
            assertThat(put.status()).as(put.text()).isEqualTo(400);
            assertThat(put.text()).contains("only an administrator");
            assertThat(apply(ALL.replace(SECRET, connection)).text())
                    .contains("only an administrator");
        }
        rest.asAdmin();
        assertThat(rest.get("/api/v1/bindings/work?secrets=true").text()).contains(SECRET);
    }

    @Test
    void aTenantAppliesOnlyForItself() {
        rest.post("/api/v1/tenants", "{\"id\": \"red\", \"name\": \"red\"}");
        apply(ALL);
        rest.as(rest.post("/api/v1/tenants/red/tokens", "").field("token"));
        assertThat(apply(ALL).status()).isEqualTo(409);
        var own =
                apply(
                        """
                        kind: Pool
                        metadata: {name: mine, namespace: default}
                        spec: {replica: {}}
                        """);
        assertThat(own.status()).as(own.text()).isEqualTo(200);
        assertThat(own.json().get("warnings").toString()).contains("read as tenant red");
        assertThat(rest.get("/api/v1/pools/mine").field("tenant_id")).isEqualTo("red");
        var model = apply("kind: Model\nmetadata: {name: m}\nspec: {size: 1Gi}\n");
        assertThat(model.text()).contains("only an administrator declares models");
    }
}
