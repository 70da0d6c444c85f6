package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// What-if and the shadow policy over REST.
@Timeout(120)
final class WhatIfTest {
    private static final String PATH = "/api/v1/what-if";

    @TempDir Path data;

    private @Nullable Running rest;

    @AfterEach
    void stop() {
        if (rest != null) {
            rest.close();
        }
    }

    /// Two jobs wait for one GPU; the longer one was submitted first and starts first.
    private Running past(Map<String, String> environment) {
        var running = Running.in(data, environment);
        rest = running;
        var nodes = new FakeNodes(running.server());
        nodes.join("n1", 1);
        String first = running.submit("{\"gpu_count\":1,\"max_runtime_minutes\":5}");
        nodes.run(first);
        String longer = running.submit("{\"gpu_count\":1,\"max_runtime_minutes\":600}");
        String shorter = running.submit("{\"gpu_count\":1,\"max_runtime_minutes\":1}");
        nodes.end(first, 0);
        nodes.run(longer);
        nodes.end(longer, 0);
        nodes.run(shorter);
        Soon.that(
                "it runs before it ends, so that it takes some time",
                () -> running.get("/api/v1/jobs/" + shorter).field("state").equals("running"));
        nodes.end(shorter, 0);
        return running;
    }

    @Test
    void aWhatIfRunsInTheBackground() {
        Running running = past(Map.of());

        var asked = running.post(PATH, "{\"policy\":\"sjf\"}");

        assertThat(asked.status()).isEqualTo(202);
        String at = asked.field("result_url");
        assertThat(asked.headers()).containsEntry("location", at);
        JsonNode answer = answer(running, at);
        assertThat(answer.get("state").asText()).isEqualTo("done");
        assertThat(answer.get("progress").asDouble()).isEqualTo(1);
        JsonNode result = answer.get("result");
        assertThat(result.get("recorded_policy").asText()).isEqualTo("priority");
        assertThat(result.get("first_difference").isNull()).isFalse();
        assertThat(result.get("starts").get("earlier").asInt()).isEqualTo(1);
        assertThat(result.get("what_if").get("tenants").get("default").get("jobs").asInt())
                .isEqualTo(3);
        assertThat(running.get(PATH).json().get("total").asInt()).isEqualTo(1);
        assertThat(running.delete(at).status()).isEqualTo(200);
        assertThat(running.get(at).status()).isEqualTo(404);
    }

    @Test
    void thePolicyInForceDecidesWhatWasDecidedAlsoAfterARestart() {
        past(Map.of()).close();
        var running = Running.in(data);
        rest = running;

        for (String body : List.of("{\"since\":\"2000-01-01\"}", "{\"policy\":\"priority\"}")) {
            String at = running.post(PATH, body).field("result_url");
            assertSame(answer(running, at).get("result"));
        }
    }

    private static void assertSame(JsonNode result) {
        assertThat(result.get("first_difference").isNull()).isTrue();
        assertThat(result.get("what_if")).isEqualTo(result.get("recorded"));
        assertThat(result.get("decisions").asInt()).isPositive();
    }

    @Test
    void whatCannotBeAskedIsRefusedInWords() {
        Running running = past(Map.of());
        assertRefused(running, "{}", "found neither");
        assertRefused(running, "{\"policy\":\"fito\"}", "the nearest is fifo");
        assertRefused(running, "{\"placement\":\"nowhere\"}", "there is no placement nowhere");
        assertRefused(running, "{\"policy\":\"fifo\",\"since\":\"noon\"}", "found \\\"noon\\\"");
        assertRefused(running, "{\"policy\":\"fifo\",\"sinse\":\"1\"}", "sinse");
        String at =
                running.post(PATH, "{\"policy\":\"fifo\",\"since\":\"99\"}").field("result_url");
        JsonNode answer = answer(running, at);
        assertThat(answer.get("state").asText()).isEqualTo("failed");
        assertThat(answer.get("error").asText()).contains("the journal ends with batch");
        assertThat(running.get(PATH + "/whatif-9").status()).isEqualTo(404);
    }

    @Test
    void theShadowTellsWhatItWouldHaveGained() {
        Running running = past(Map.of("GPU_SCHEDULER_SCHEDULER_SHADOW_POLICY", "sjf"));

        Soon.that(
                "both started",
                () -> {
                    goOn(running);
                    return seen(running).at("/starts/later").asInt() == 1;
                });

        JsonNode shadow = running.get("/api/v1/shadow").json();
        assertThat(shadow.get("running").asBoolean()).isTrue();
        assertThat(shadow.get("policy").asText()).isEqualTo("sjf");
        JsonNode seen = shadow.get("seen");
        assertThat(seen.at("/starts/earlier").asInt()).isEqualTo(1);
        assertThat(seen.at("/starts/last").size()).isEqualTo(2);
        assertThat(seen.at("/live/tenants/default/jobs").asInt()).isEqualTo(3);
        assertThat(running.get("/metrics").text())
                .contains("gpu_scheduler_shadow_running 1.0")
                .contains("gpu_scheduler_shadow_differing_starts 2.0");
    }

    @Test
    void withoutAShadowPolicyTheAnswerHasAHintHowToConfigureOne() {
        var running = Running.in(data);
        rest = running;
        var answered = running.get("/api/v1/shadow");
        assertThat(answered.json().get("enabled").asBoolean()).isFalse();
        assertThat(answered.field("hint")).contains("scheduler.shadow_policy");
        assertThat(running.get("/metrics").text()).doesNotContain("gpu_scheduler_shadow");
    }

    /// The shadow policy advances only as far as the journal. Its jobs may start later than the
    /// real ones, so a later event must follow.
    private static void goOn(Running running) {
        running.post("/api/v1/tenants", "{\"name\":\"another\"}");
    }

    private static JsonNode seen(Running running) {
        return running.get("/api/v1/shadow").json().path("seen");
    }

    private static JsonNode answer(Running running, String at) {
        Soon.that("an answer", () -> !running.get(at).field("state").equals("running"));
        return running.get(at).json();
    }

    private static void assertRefused(Running running, String body, String why) {
        var answered = running.post(PATH, body);
        assertThat(answered.status()).as(body).isEqualTo(400);
        assertThat(answered.text()).contains(why);
    }
}
