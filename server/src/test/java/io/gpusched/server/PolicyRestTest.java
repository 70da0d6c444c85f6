package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;

/// The policy in force over REST: shown, changed, kept over a restart.
@Timeout(120)
final class PolicyRestTest {
    private static final String PATH = "/api/v1/policy";
    private static final String CONFIGURED = "GPU_SCHEDULER_SCHEDULER_POLICY";
    private static final String SHADOW = "GPU_SCHEDULER_SCHEDULER_SHADOW_POLICY";

    @TempDir Path data;

    private @Nullable Running rest;

    @AfterEach
    void stop() {
        if (rest != null) {
            rest.close();
        }
    }

    private Running start(Map<String, String> environment) {
        stop();
        var running = Running.in(data, environment);
        rest = running;
        return running;
    }

    private static Running.Answered set(Running running, String policy, String reason) {
        return running.send(
                "PUT",
                PATH,
                "{\"policy\":\"%s\",\"reason\":\"%s\"}".formatted(policy, reason),
                Map.of());
    }

    private static String inForce(Running running) {
        return running.get(PATH).field("policy");
    }

    @Test
    void atFirstTheConfiguredPolicyIsInForce() {
        JsonNode shown = start(Map.of(CONFIGURED, "fair")).get(PATH).json();
        assertThat(shown.get("policy").asText()).isEqualTo("fair");
        assertThat(shown.get("configured").asText()).isEqualTo("fair");
        assertThat(shown.get("since").isNull()).isTrue();
        assertThat(shown.get("by").asText()).isEqualTo("configuration");
        assertThat(shown.at("/fallback/policy").asText()).isEqualTo("fair");
        assertThat(shown.at("/fallback/guarding").asBoolean()).isFalse();
        assertThat(shown.at("/fallback/compares").asBoolean()).isFalse();
        assertThat(shown.at("/promotion/enabled").asBoolean()).isFalse();
        assertThat(shown.at("/shadow/policy").asText()).isEmpty();
        assertThat(shown.get("policies").toString()).contains("\"sjf\"").contains("\"priority\"");
    }

    @Test
    void aChangeIsShownWithItsReasonAsAnEventAndInMetrics() {
        Running running = start(Map.of());

        JsonNode changed = set(running, "sjf", "a test").json();

        assertThat(changed.get("changed").asBoolean()).isTrue();
        JsonNode shown = running.get(PATH).json();
        assertThat(shown.get("policy").asText()).isEqualTo("sjf");
        assertThat(shown.get("by").asText()).isEqualTo("local");
        assertThat(shown.get("reason").asText()).isEqualTo("a test");
        assertThat(shown.get("cause").asText()).isEqualTo("command");
        assertThat(shown.get("previous").asText()).isEqualTo("priority");
        assertThat(shown.get("since").asText()).endsWith("Z");
        assertThat(shown.at("/fallback/guarding").asBoolean()).isTrue();
        assertThat(shown.at("/fallback/compares").asBoolean()).isTrue();
        assertThat(shown.at("/shadow/policy").asText()).isEqualTo("priority");
        JsonNode event = running.get("/api/v1/events?kind=policy").json().at("/events/0");
        assertThat(event.get("kind").asText()).isEqualTo("policy");
        assertThat(event.get("message").asText())
                .isEqualTo("sjf in place of priority by local (command): a test");
        assertThat(running.get("/metrics").text())
                .contains("gpu_scheduler_policy_changes_total{cause=\"command\"} 1.0")
                .contains("gpu_scheduler_policy_changes_total{cause=\"fallback\"} 0.0")
                .contains("gpu_scheduler_policy_info{policy=\"sjf\"} 1.0");
    }

    @Test
    void settingThePolicyInForceChangesNothing() {
        Running running = start(Map.of());
        assertThat(set(running, "priority", "").json().get("changed").asBoolean()).isFalse();
        set(running, "fifo", "");
        assertThat(set(running, "fifo", "again").json().get("changed").asBoolean()).isFalse();
        assertThat(running.get("/api/v1/events?kind=policy").json().get("total").asInt())
                .isEqualTo(1);
    }

    @Test
    void aDryRunChangesNothing() {
        Running running = start(Map.of());
        var answered =
                running.send("PUT", PATH + "?dry_run=true", "{\"policy\":\"fifo\"}", Map.of());
        assertThat(answered.json().get("changed").asBoolean()).isTrue();
        assertThat(answered.field("wanted")).isEqualTo("fifo");
        assertThat(inForce(running)).isEqualTo("priority");
    }

    @Test
    void anUnknownPolicyIsRefusedWithTheNamesOfAll() {
        Running running = start(Map.of());
        for (String path : new String[] {PATH, PATH + "?dry_run=true"}) {
            var answered = running.send("PUT", path, "{\"policy\":\"fito\"}", Map.of());
            assertThat(answered.status()).isEqualTo(400);
            assertThat(answered.field("field")).isEqualTo("policy");
            assertThat(answered.field("hint"))
                    .contains("the nearest is fifo")
                    .contains("priority, priority-skip");
        }
        var nothing = running.send("PUT", PATH, "{\"reason\":\"x\"}", Map.of());
        assertThat(nothing.status()).isEqualTo(400);
        assertThat(nothing.text()).contains("expected the name of a policy");
    }

    @Test
    void onlyAnAdministratorChangesThePolicy() {
        Running running = start(Map.of("GPU_SCHEDULER_AUTH_ENABLED", "true"));
        running.asAdmin();
        String token =
                running.post("/api/v1/tenants/default/tokens", "{\"name\":\"t\"}").field("token");
        running.as(token);
        assertThat(running.get(PATH).status()).isEqualTo(200);
        assertThat(set(running, "fifo", "").status()).isEqualTo(403);
        assertThat(running.post("/api/v1/shadow/promote", "{\"force\":true}").status())
                .isEqualTo(403);
    }

    @Test
    void aChangeAtRunTimeSurvivesARestart() {
        set(start(Map.of()), "sjf", "better so");

        Running again = start(Map.of());

        JsonNode shown = again.get(PATH).json();
        assertThat(shown.get("policy").asText()).isEqualTo("sjf");
        assertThat(shown.get("configured").asText()).isEqualTo("priority");
        assertThat(shown.get("reason").asText()).isEqualTo("better so");
        assertThat(again.get("/api/v1/events?kind=policy").json().get("total").asInt())
                .isEqualTo(1);
    }

    @Test
    void anEditOfTheConfigurationIsNewerThanAChangeAtRunTime() {
        set(start(Map.of()), "sjf", "");

        Running edited = start(Map.of(CONFIGURED, "fair"));
        Soon.that("the edit counts", () -> inForce(edited).equals("fair"));
        JsonNode shown = edited.get(PATH).json();
        assertThat(shown.get("cause").asText()).isEqualTo("configuration");
        assertThat(shown.get("reason").asText())
                .isEqualTo("scheduler.policy was changed from priority to fair");

        Running back = start(Map.of());
        Soon.that("the edit back counts too", () -> inForce(back).equals("priority"));
    }

    @Test
    void theShadowIsPromotedByCommandOnlyWhenItIsBetterOrByForce() {
        Running running = start(Map.of(SHADOW, "sjf"));
        var refused = running.post("/api/v1/shadow/promote", "{}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text())
                .contains("the shadow policy sjf is not better: too few jobs have been compared")
                .contains("force");

        var promoted = running.post("/api/v1/shadow/promote", "{\"force\":true}");

        assertThat(promoted.status()).isEqualTo(200);
        assertThat(promoted.field("policy")).isEqualTo("sjf");
        assertThat(promoted.json().at("/shadow/policy").asText())
                .as("the former policy is the shadow now")
                .isEqualTo("priority");
        Soon.that(
                "it decides",
                () ->
                        running.get("/api/v1/shadow")
                                .json()
                                .at("/seen/policy")
                                .asText()
                                .equals("priority"));
    }

    @Test
    void theGuardComparesNothingWhileAThirdPolicyIsInTheShadow() {
        Running running = start(Map.of(SHADOW, "fair"));
        JsonNode changed = set(running, "sjf", "").json();
        assertThat(changed.at("/shadow/policy").asText()).isEqualTo("fair");
        assertThat(changed.at("/fallback/guarding").asBoolean()).isTrue();
        assertThat(changed.at("/fallback/compares").asBoolean()).isFalse();
    }

    @Test
    void aReasonMayBeAsLongAsTheRequestAllows() {
        Running running = start(Map.of(SHADOW, "sjf"));
        String promotion = "{\"force\":true,\"reason\":\"%s\"}";
        var tooLong = running.post("/api/v1/shadow/promote", promotion.formatted("x".repeat(901)));
        assertThat(tooLong.status()).isEqualTo(400);
        assertThat(tooLong.text()).contains("reason is 901 characters long, at most 900 fit");
        assertThat(
                        running.post("/api/v1/shadow/promote", promotion.formatted("x".repeat(900)))
                                .status())
                .isEqualTo(200);
        assertThat(set(running, "fifo", "x".repeat(1025)).status()).isEqualTo(400);
        assertThat(set(running, "fifo", "x".repeat(1024)).status()).isEqualTo(200);
    }

    @Test
    void withoutAShadowPolicyThereIsNothingToPromote() {
        var refused = start(Map.of()).post("/api/v1/shadow/promote", "{\"force\":true}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).contains("there is no shadow policy to promote");
    }

    /// The cycle that places a gang of 512 tasks takes more than a millisecond. How the guard
    /// counts is tested with a fake clock.
    @Test
    void aPolicyThatDecidesLateIsReplacedByTheFallback() {
        Running running =
                start(
                        Map.of(
                                "GPU_SCHEDULER_SCHEDULER_FALLBACK_CYCLE_BUDGET_MS", "1",
                                "GPU_SCHEDULER_SCHEDULER_FALLBACK_LATE_CYCLES", "1"));
        var nodes = new FakeNodes(running.server());
        IntStream.range(0, 64).forEach(i -> nodes.join("n" + i, 8));
        set(running, "sjf", "");

        running.submit("{\"gpu_count\":512,\"tasks\":512,\"gang_scheduling\":true}");

        Soon.that("it falls back", () -> inForce(running).equals("priority"));

        JsonNode shown = running.get(PATH).json();
        assertThat(shown.get("cause").asText()).isEqualTo("fallback");
        assertThat(shown.get("by").asText()).isEqualTo("scheduler");
        assertThat(shown.get("reason").asText()).startsWith("decisions of sjf are late: ");
        assertThat(shown.at("/promotion/paused_until").asText()).endsWith("Z");
        assertThat(running.get("/api/v1/events?kind=policy").text())
                .contains("priority in place of sjf by scheduler (fallback): decisions of sjf");
        assertThat(running.get("/metrics").text())
                .contains("gpu_scheduler_policy_changes_total{cause=\"fallback\"} 1.0");
    }

    @Test
    void anUnknownFallbackPolicyIsRefusedAtTheStart() {
        assertThatThrownBy(
                        () ->
                                Running.in(
                                        data,
                                        Map.of("GPU_SCHEDULER_SCHEDULER_FALLBACK_POLICY", "luck")))
                .hasMessageContaining("scheduler.fallback_policy: expected one of");
    }
}
