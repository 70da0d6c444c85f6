package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gpusched.core.model.Labels;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/// Who the caller is, and the picture of the fleet that it may see.
@Timeout(60)
final class OverviewRestTest {
    private static final Map<String, String> LOCKED = Map.of("GPU_SCHEDULER_AUTH_ENABLED", "true");

    @TempDir Path temp;

    private @Nullable Running running;

    @AfterEach
    void stop() {
        if (running != null) {
            running.close();
        }
    }

    @Test
    void aServerWithoutTokensTellsItsLocalCallerThatItIsTheAdministrator() {
        Running rest = start(Map.of());
        JsonNode caller = rest.get("/api/v1/whoami").json();
        assertThat(caller.get("name").asText()).isEqualTo("local");
        assertThat(caller.get("role").asText()).isEqualTo("admin");
        assertThat(caller.get("tenant_id").isNull()).isTrue();
        assertThat(caller.get("auth").asBoolean()).isFalse();
        assertThat(caller.get("version").asText()).isNotEmpty();
        assertThat(caller.get("api").asInt()).isEqualTo(1);
    }

    @Test
    void aTenantIsToldWhichTenantItIs() {
        Running rest = start(LOCKED);
        assertThat(rest.get("/api/v1/whoami").status()).isEqualTo(401);
        JsonNode admin = rest.asAdmin().get("/api/v1/whoami").json();
        assertThat(admin.get("role").asText()).isEqualTo("admin");
        assertThat(admin.get("auth").asBoolean()).isTrue();
        assertThat(admin.get("name").asText())
                .as("the id of the token, without its secret")
                .matches("admin/tok-[0-9a-f]{12}");
        JsonNode member = rest.as(tokenOf(rest, "research")).get("/api/v1/whoami").json();
        assertThat(member.get("role").asText()).isEqualTo("tenant");
        assertThat(member.get("tenant_id").asText()).isEqualTo("research");
        assertThat(member.get("name").asText()).matches("research/tok-[0-9a-f]{12}");
    }

    @Test
    void theFleetShowsEveryGpuWithItsHolder() {
        Running rest = start(Map.of());
        new FakeNodes(rest.server()).join("n1", 2, Labels.of("zone", "z1").with("rack", "r7"));
        rest.submit("{\"gpu_percent\":40}");
        rest.submit("{\"gpu_percent\":25}");
        Soon.that("both are shown", () -> rest.get("/api/v1/fleet").text().contains("[65,0]"));

        JsonNode fleet = rest.get("/api/v1/fleet").json();
        assertThat(fleet.get("batch").asLong()).isPositive();
        assertThat(fleet.get("tenants").toString()).isEqualTo("[\"default\"]");
        assertThat(fleet.get("models").toString()).isEqualTo("[\"A100-80GB\"]");
        assertThat(fleet.at("/nodes/0").toString())
                .isEqualTo(
                        "{\"id\":\"n1\",\"rack\":\"z1/r7\",\"state\":\"ready\",\"model\":0,"
                                + "\"tenant\":[0,-1],\"job\":[1,0],\"util\":[-1,-1],"
                                + "\"temp\":[-1,-1],\"mem\":[-1,-1],\"power\":[-1,-1],"
                                + "\"health\":[0,0],\"part\":[65,0]}");
    }

    @Test
    void theFleetSaysWhyANodeIsClosed() {
        Running rest = start(Map.of());
        new FakeNodes(rest.server()).join("n1", 1);
        rest.post("/api/v1/nodes/n1/cordon", "");
        String reason = rest.get("/api/v1/nodes/n1").json().get("closed_reason").asText();
        assertThat(reason).isNotEmpty();
        JsonNode node = rest.get("/api/v1/fleet").json().at("/nodes/0");
        assertThat(node.get("state").asText()).isEqualTo("cordoned");
        assertThat(node.get("closed_reason").asText()).isEqualTo(reason);
    }

    @Test
    void aTenantSeesThatOthersHoldAGpuButNotWhichTenantOrJob() {
        Running rest = start(LOCKED).asAdmin();
        new FakeNodes(rest.server()).join("n1", 3);
        String own = tokenOf(rest, "research");
        tokenOf(rest, "secret");
        rest.submit("{\"gpu_count\":1,\"tenant_id\":\"secret\"}");
        rest.submit("{\"gpu_count\":1,\"tenant_id\":\"research\"}");
        rest.as(own);
        Soon.that("both are shown", () -> rest.get("/api/v1/fleet").text().contains("[-2,0,-1]"));

        var answered = rest.get("/api/v1/fleet");
        assertThat(answered.json().at("/nodes/0/job").toString()).isEqualTo("[0,2,0]");
        assertThat(answered.text()).doesNotContain("secret");
        assertThat(rest.asAdmin().get("/api/v1/fleet").json().get("tenants").toString())
                .isEqualTo("[\"secret\",\"research\"]");
    }

    @Test
    void anUnchangedFleetIsNotSentAgain() {
        Running rest = start(Map.of());
        new FakeNodes(rest.server()).join("n1", 2);
        Soon.that("it is shown", () -> rest.get("/api/v1/fleet").text().contains("n1"));
        String tag = rest.get("/api/v1/fleet").headers().get("etag");
        assertThat(tag).isNotNull();
        var again = rest.send("GET", "/api/v1/fleet", null, Map.of("If-None-Match", tag));
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.text()).isEmpty();

        rest.submit("{}");
        Soon.that(
                "the change is sent",
                () ->
                        rest.send("GET", "/api/v1/fleet", null, Map.of("If-None-Match", tag))
                                        .status()
                                == 200);
    }

    @Test
    void afterAnotherLoginThePictureOfTheOneBeforeIsNotKept() {
        Running rest = start(LOCKED).asAdmin();
        new FakeNodes(rest.server()).join("n1", 2);
        Soon.that("it is shown", () -> rest.get("/api/v1/fleet").text().contains("n1"));
        String a = tokenOf(rest, "a");
        String b = tokenOf(rest, "b");
        String admins =
                Objects.requireNonNull(rest.asAdmin().get("/api/v1/fleet").headers().get("etag"));
        var others = rest.as(a).send("GET", "/api/v1/fleet", null, Map.of("If-None-Match", admins));
        assertThat(others.status()).isEqualTo(200);
        String tag = Objects.requireNonNull(others.headers().get("etag"));
        assertThat(
                        rest.as(b)
                                .send("GET", "/api/v1/fleet", null, Map.of("If-None-Match", tag))
                                .status())
                .isEqualTo(200);
    }

    @Test
    void theFleetIsCompressedForAClientThatAcceptsIt() throws IOException, InterruptedException {
        Running rest = start(Map.of());
        new FakeNodes(rest.server()).join("n1", 2);
        Soon.that("it is shown", () -> rest.get("/api/v1/fleet").text().contains("n1"));
        try (var client = HttpClient.newHttpClient()) {
            var request =
                    HttpRequest.newBuilder(URI.create(rest.server().url() + "/api/v1/fleet"))
                            .header("Accept-Encoding", "gzip, br")
                            .build();
            var response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            assertThat(response.headers().firstValue("content-encoding")).hasValue("gzip");
            try (var in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
                assertThat(new ObjectMapper().readTree(in).at("/nodes/0/id").asText())
                        .isEqualTo("n1");
            }
        }
    }

    @Test
    void anUnknownParameterIsRefusedByName() {
        Running rest = start(Map.of());
        var refused = rest.get("/api/v1/fleet?tenent=a");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.field("field")).isEqualTo("tenent");
        assertThat(refused.field("hint")).isEqualTo("this route takes no parameters");
    }

    private Running start(Map<String, String> environment) {
        Running rest = Running.in(temp.resolve("data"), environment);
        running = rest;
        return rest;
    }

    private static String tokenOf(Running rest, String tenant) {
        String body = "{\"id\":\"%s\",\"name\":\"%s\"}".formatted(tenant, tenant);
        rest.asAdmin().post("/api/v1/tenants", body);
        return rest.post("/api/v1/tenants/" + tenant + "/tokens", "").field("token");
    }
}
