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

/// Pools over REST, against the real server and its store.
@Timeout(120)
@SuppressWarnings("NullAway.Init")
final class PoolRestTest {
    private static final String CHAT = "/api/v1/pools/chat";
    private static final String DOCUMENT =
            """
            {"model": "llama", "replica": {"gpu_count": 1, "command": ["serve"]},
             "min_replicas": 2, "max_replicas": 4, "scaling": {"law": "static"},
             "serving": {"port": 9000, "drain_seconds": 0}}
            """;

    private static final String BINDING =
            """
            {"pool": "chat", "provider": "redis", "connection": "redis://127.0.0.1:1",
             "queue": "work", "prefetch": 10, "throughput": 5, "max_lag": 100}
            """;

    @TempDir Path data;

    private Running rest;
    private FakeNodes nodes;
    private int sequence;

    @BeforeEach
    void start() {
        rest = Running.in(data);
        nodes = new FakeNodes(rest.server());
    }

    @AfterEach
    void stop() {
        rest.close();
    }

    private Running.Answered put(String path, String body) {
        return rest.send("PUT", path, body, Map.of());
    }

    private JsonNode status() {
        return rest.get(CHAT).json().get("status");
    }

    private void awaitReplicas(int count) {
        Soon.that(count + " replicas", () -> status().get("replicas").size() == count);
    }

    private void reportReady() {
        var replicas = new StringBuilder();
        for (JsonNode replica : status().get("replicas")) {
            nodes.run(replica.get("job_id").asText());
            replicas.append(replicas.isEmpty() ? "" : ",")
                    .append(
                            "{\"job_id\":\"%s\",\"ready\":true,\"running\":1,\"kv\":0.5,\"ttft_ms\":80}"
                                    .formatted(replica.get("job_id").asText()));
        }
        sequence++;
        String load =
                "{\"source\":\"gw-1\",\"sequence\":%d,\"over_ms\":1000,\"arrivals\":3,\"sessions\":2,\"replicas\":[%s]}"
                        .formatted(sequence, replicas);
        assertThat(rest.post(CHAT + "/load", load).status()).isEqualTo(202);
    }

    @Test
    void aPoolIsPutServesAndIsRemoved() {
        nodes.join("n1", 8);
        var created = put(CHAT, DOCUMENT);
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        assertThat(created.field("action")).isEqualTo("created");
        assertThat(put(CHAT, DOCUMENT).field("action")).isEqualTo("unchanged");
        awaitReplicas(2);
        Soon.that("placed", () -> !status().at("/replicas/1/node_id").isNull());
        reportReady();
        JsonNode status = status();
        assertThat(status.get("phase").asText()).isEqualTo("ready");
        assertThat(status.get("ready").asInt()).isEqualTo(2);
        assertThat(status.get("desired").asInt()).isEqualTo(2);
        JsonNode second = status.at("/replicas/1");
        assertThat(second.get("number").asInt()).isEqualTo(1);
        assertThat(second.get("state").asText()).isEqualTo("ready");
        assertThat(second.get("address").asText()).endsWith(":9001");
        assertThat(second.get("kv").asDouble()).isEqualTo(0.5);
        assertThat(second.get("ttft_ms").asInt()).isEqualTo(80);
        assertThat(rest.get("/api/v1/pools").json().get("total").asInt()).isEqualTo(1);
        JsonNode job = rest.get("/api/v1/jobs/" + second.get("job_id").asText()).json();
        assertThat(job.get("pool").asText()).isEqualTo("chat");
        assertThat(job.get("replica").asInt()).isEqualTo(1);

        assertThat(rest.delete(CHAT).status()).isEqualTo(202);
        Soon.that(
                "the replicas stop",
                () -> {
                    JsonNode now = rest.get(CHAT).json().path("status");
                    for (JsonNode replica : now.path("replicas")) {
                        nodes.end(replica.get("job_id").asText(), 0);
                    }
                    return rest.get(CHAT).status() == 404;
                });
    }

    @Test
    void aPatchChangesWhatItNames() {
        put(CHAT, DOCUMENT);
        var changed = rest.patch(CHAT, "{\"max_replicas\": 7, \"slo\": {\"ttft_ms\": 900}}");
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(changed.field("action")).isEqualTo("changed");
        assertThat(changed.json().at("/slo/ttft_ms").asInt()).isEqualTo(900);
        assertThat(changed.json().at("/serving/port").asInt()).isEqualTo(9000);
        assertThat(rest.patch("/api/v1/pools/none", "{}").status()).isEqualTo(404);
    }

    @Test
    void aHeldPoolKeepsItsSizeInBothForms() {
        nodes.join("n1", 8);
        put(CHAT, DOCUMENT);
        var held = rest.post(CHAT + "/scale", "{\"replicas\": 3, \"reason\": \"launch\"}");
        assertThat(held.json().at("/status/held_at").asInt()).isEqualTo(3);
        awaitReplicas(3);
        assertThat(status().get("reason").asText()).contains("holds the pool at 3: launch");
        assertThat(rest.post(CHAT + "/scale", "{\"replicas\": 99}").status()).isEqualTo(400);
        assertThat(rest.post(CHAT + "/scale", "{}").field("field")).isEqualTo("replicas");
        assertThat(rest.post("/v1/scale", "{\"pool\": \"chat\", \"replicas\": null}").status())
                .isEqualTo(200);
        assertThat(status().has("held_at")).isFalse();
        assertThat(rest.post("/v1/scale", "{\"replicas\": 2}").text()).contains("names no pool");
    }

    @Test
    void anExplanationHasTheStepsAndWhyReplicasWait() {
        put(CHAT, DOCUMENT);
        awaitReplicas(2);
        JsonNode why = rest.get(CHAT + "/explain").json();
        assertThat(why.get("pool").asText()).isEqualTo("chat");
        assertThat(why.get("steps").size()).isPositive();
        assertThat(why.get("waiting").size()).isEqualTo(2);
        assertThat(why.at("/waiting/0/summary").asText()).isNotEmpty();
        assertThat(why.at("/recent/0/to").asInt()).isEqualTo(2);
        assertThat(rest.get("/api/v1/pools/none/explain").status()).isEqualTo(404);
    }

    @Test
    void aListThatHasNotChangedIsNotSentAgain() {
        put(CHAT, DOCUMENT);
        awaitReplicas(2);
        var first = rest.get("/api/v1/pools");
        String tag = first.headers().get("etag");
        assertThat(tag).isNotNull();
        var again =
                rest.send(
                        "GET", "/api/v1/pools", null, Map.of("If-None-Match", String.valueOf(tag)));
        assertThat(again.status()).isEqualTo(304);
        put("/api/v1/pools/other", "{\"min_replicas\": 0, \"replica\": {}}");
        assertThat(
                        rest.send(
                                        "GET",
                                        "/api/v1/pools",
                                        null,
                                        Map.of("If-None-Match", String.valueOf(tag)))
                                .status())
                .isEqualTo(200);
    }

    @Test
    void wrongPoolsAreRefusedByTheirField() {
        var wrong =
                put(CHAT, "{\"min_replicas\": 5, \"max_replicas\": 2, \"slo\": {\"ttft_ms\": 0}}");
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.field("field")).isEqualTo("min_replicas");
        assertThat(wrong.field("error")).contains("ttft_ms");
        assertThat(put(CHAT, "{\"scaling\": {\"law\": \"magic\"}}").field("field"))
                .isEqualTo("scaling.law");
        assertThat(put(CHAT, "{\"tenant_id\": \"nobody\"}").status()).isEqualTo(404);
        assertThat(put("/api/v1/pools/a%20b", "{}").field("field")).isEqualTo("name");
        assertThat(rest.post(CHAT + "/load", "{}").status()).isEqualTo(404);
    }

    @Test
    void aTenantSeesOnlyItsOwnPools() {
        for (String tenant : new String[] {"red", "blue"}) {
            rest.post(
                    "/api/v1/tenants",
                    "{\"id\": \"%s\", \"name\": \"%s\"}".formatted(tenant, tenant));
        }
        String red = rest.post("/api/v1/tenants/red/tokens", "").field("token");
        String blue = rest.post("/api/v1/tenants/blue/tokens", "").field("token");
        String gateway = rest.post("/api/v1/gateways/tokens", "").field("token");
        rest.as(red);
        assertThat(
                        put(CHAT, "{\"replica\": {}, \"min_replicas\": 0}")
                                .json()
                                .get("tenant_id")
                                .asText())
                .isEqualTo("red");
        rest.as(blue);
        assertThat(rest.get(CHAT).status()).isEqualTo(404);
        assertThat(rest.get("/api/v1/pools").json().get("total").asInt()).isZero();
        assertThat(rest.delete(CHAT).status()).isEqualTo(404);
        assertThat(put(CHAT, "{\"replica\": {}}").status()).isEqualTo(409);
        assertThat(put("/api/v1/pools/x", "{\"tenant_id\": \"red\"}").status()).isEqualTo(404);
        assertThat(rest.post(CHAT + "/load", "{\"source\": \"x\"}").status()).isEqualTo(404);

        rest.as(gateway);
        assertThat(rest.get(CHAT).status()).isEqualTo(200);
        assertThat(rest.post(CHAT + "/load", "{\"source\": \"gw\", \"sequence\": 1}").status())
                .isEqualTo(202);
        assertThat(rest.delete(CHAT).status()).isEqualTo(403);
        assertThat(put(CHAT, "{}").status()).isEqualTo(403);
        assertThat(rest.get("/api/v1/jobs").status()).isEqualTo(403);
        assertThat(rest.get("/api/v1/events").status()).isEqualTo(403);
        assertThat(rest.post("/api/v1/gateways/tokens", "").status()).isEqualTo(403);
        rest.asAdmin();
        String id = rest.get("/api/v1/gateways/tokens").json().at("/tokens/0/token_id").asText();
        assertThat(rest.delete("/api/v1/gateways/tokens/" + id).status()).isEqualTo(200);
        rest.as(gateway);
        assertThat(rest.get(CHAT).status()).isEqualTo(401);
    }

    @Test
    void aRemovedPoolStaysRemovedWhateverIsSaidAboutItsBinding() {
        nodes.join("n1", 8);
        put(CHAT, DOCUMENT);
        put("/api/v1/bindings/work", BINDING);
        assertThat(rest.get(CHAT).json().at("/scaling/queue/prefetch").asInt()).isEqualTo(10);
        awaitReplicas(2);
        Soon.that("placed", () -> !status().at("/replicas/1/node_id").isNull());
        assertThat(rest.delete(CHAT).status()).isEqualTo(202);
        assertThat(rest.patch(CHAT, "{\"max_replicas\": 7}").status()).isEqualTo(409);
        assertThat(rest.delete("/api/v1/bindings/work").status()).isEqualTo(200);
        assertThat(rest.get(CHAT).json().at("/status/phase").asText()).isEqualTo("stopped");
    }

    @Test
    void aBindingServesOnlyPoolsOfItsOwnTenant() {
        for (String tenant : new String[] {"red", "blue"}) {
            rest.post(
                    "/api/v1/tenants",
                    "{\"id\": \"%s\", \"name\": \"%s\"}".formatted(tenant, tenant));
        }
        String red = rest.post("/api/v1/tenants/red/tokens", "").field("token");
        String blue = rest.post("/api/v1/tenants/blue/tokens", "").field("token");
        String gateway = rest.post("/api/v1/gateways/tokens", "").field("token");
        rest.as(blue);
        assertThat(put("/api/v1/bindings/early", BINDING).status()).isEqualTo(201);
        rest.as(red);
        assertThat(put(CHAT, "{\"replica\": {}, \"min_replicas\": 0}").status()).isEqualTo(201);
        assertThat(put("/api/v1/bindings/own", BINDING).status()).isEqualTo(201);
        rest.as(blue);
        var late = put("/api/v1/bindings/late", BINDING);
        assertThat(late.status()).isEqualTo(400);
        assertThat(late.field("field")).isEqualTo("pool");
        rest.as(gateway);
        JsonNode seen = rest.get("/api/v1/bindings").json();
        assertThat(seen.get("total").asInt()).isEqualTo(1);
        assertThat(seen.at("/bindings/0/name").asText()).isEqualTo("own");
    }

    @Test
    void aPoolOfAClassSaysWhereItsModelIsChanged() {
        String manifests =
                """
                kind: AgentClass
                metadata: {name: assistant}
                spec: {modelRef: {name: llama}, slo: {ttft: 500ms}}
                ---
                kind: AgentPool
                metadata: {name: chat}
                spec: {agentClassRef: {name: assistant}, minReplicas: 0, maxReplicas: 2}
                """;
        var applied = rest.send("POST", "/api/v1/apply", manifests, Map.of());
        assertThat(applied.status()).as(applied.text()).isEqualTo(200);
        var changed = rest.patch(CHAT, "{\"model\": \"other\"}");
        assertThat(changed.json().get("model").asText()).isEqualTo("llama");
        assertThat(changed.text()).contains("of the pool's class, assistant; change them there");
    }

    @Test
    void aReasonIsBounded() {
        put(CHAT, DOCUMENT);
        String reason = "x".repeat(2_000);
        var held = rest.post(CHAT + "/scale", "{\"replicas\": 3, \"reason\": \"" + reason + "\"}");
        assertThat(held.status()).isEqualTo(400);
        assertThat(held.field("field")).isEqualTo("reason");
    }

    @Test
    void poolsAreLiveEventsMetricsAndSurviveARestart() {
        nodes.join("n1", 8);
        put(CHAT, DOCUMENT);
        awaitReplicas(2);
        reportReady();
        JsonNode event = rest.get("/api/v1/events?kind=pool_scaled").json().at("/events/0");
        assertThat(event.get("subject").asText()).isEqualTo("pool");
        assertThat(event.get("pool").asText()).isEqualTo("chat");
        assertThat(event.get("message").asText()).startsWith("pool chat goes from 0 to 2 replicas");
        assertThat(rest.get("/metrics").text())
                .contains("gpu_scheduler_pool_replicas{pool=\"chat\",state=\"ready\"} 2.0")
                .contains(
                        "gpu_scheduler_pool_scale_operations_total{direction=\"up\",pool=\"chat\"}"
                                + " 1.0")
                .contains("neuronetes_agentpool_desired_replicas{pool=\"chat\"} 2.0")
                .contains("neuronetes_concurrent_sessions{pool=\"chat\"} 2.0")
                .contains("neuronetes_ttft_seconds_count{pool=\"chat\"} 2");
        rest.close();
        rest = Running.in(data);
        assertThat(status().get("ready").asInt()).isEqualTo(2);
        assertThat(status().get("desired").asInt()).isEqualTo(2);
    }

    @Test
    void modelsAreDeclaredByAnAdministratorOnly() {
        String path = "/api/v1/models/llama";
        var made = put(path, "{\"uri\": \"s3://m\", \"size_bytes\": 5, \"load_seconds\": 30}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(put(CHAT, DOCUMENT).status()).isEqualTo(201);
        assertThat(rest.delete(path).status()).isEqualTo(409);
        assertThat(rest.get("/api/v1/models").json().get("total").asInt()).isEqualTo(1);
        assertThat(rest.get(path).json().get("load_seconds").asInt()).isEqualTo(30);
        assertThat(put("/api/v1/pools/x", "{\"model\": \"lama\", \"replica\": {}}").text())
                .contains("did you mean llama");
        rest.post("/api/v1/tenants", "{\"id\": \"red\", \"name\": \"red\"}");
        rest.as(rest.post("/api/v1/tenants/red/tokens", "").field("token"));
        assertThat(put(path, "{}").status()).isEqualTo(403);
    }

    @Test
    void aHistoryHasAllSeries() {
        put(CHAT, DOCUMENT);
        JsonNode history = rest.get(CHAT + "/history?points=10").json();
        assertThat(history.get("series").properties())
                .extracting(Map.Entry::getKey)
                .containsExactly(
                        "replicas",
                        "ready",
                        "arrivals",
                        "tokens_per_second",
                        "cost_per_hour",
                        "ttft_p95_ms",
                        "slo_percent");
        assertThat(history.at("/series/ready").size()).isEqualTo(history.get("times").size());
        assertThat(rest.get(CHAT + "/history?points=0").status()).isEqualTo(400);
    }

    @Test
    void aShadowThatCannotBeAskedForIsRefusedInWords() {
        put(CHAT, DOCUMENT);
        var unknown = rest.get(CHAT + "/shadow?law=hpa");
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.field("field")).isEqualTo("law");
        assertThat(unknown.text()).contains("there is no law hpa").contains("hpa-N");
        assertThat(rest.get(CHAT + "/shadow").text()).contains("expected a law to try");
        assertThat(rest.get(CHAT + "/shadow?law=slo&hours=25").field("field")).isEqualTo("hours");
        assertThat(rest.get(CHAT + "/shadow?laws=slo").field("field")).isEqualTo("laws");
        var early = rest.get(CHAT + "/shadow?law=hpa-20");
        assertThat(early.status()).as(early.text()).isEqualTo(400);
        assertThat(early.text()).contains("expected reports of load");
        assertThat(rest.get("/api/v1/pools/none/shadow?law=slo").status()).isEqualTo(404);
    }

    @Test
    void aTenantCannotAskForTheShadowOfAnothersPool() {
        put(CHAT, DOCUMENT);
        rest.post("/api/v1/tenants", "{\"id\": \"red\", \"name\": \"red\"}");
        rest.as(rest.post("/api/v1/tenants/red/tokens", "").field("token"));
        assertThat(rest.get(CHAT + "/shadow?law=hpa-20").status()).isEqualTo(404);
    }
}
