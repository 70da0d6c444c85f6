package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// An invalid request is refused with the right status, in JSON that names the field and a remedy,
/// and nothing is changed.
@Timeout(120)
final class BadInputTest {
    @TempDir static Path temp;

    @SuppressWarnings("NullAway.Init")
    private static Running rest;

    @BeforeAll
    static void start() {
        rest = Running.in(temp, Map.of("GPU_SCHEDULER_API_MAX_REQUEST_KB", "64"));
        rest.post("/api/v1/tenants", "{\"id\":\"small\",\"name\":\"s\",\"max_gpus\":4}");
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[]",
                "\"text\"",
                "17",
                "null",
                "{\"name\":\"a\",\"name\":\"b\"}",
                "{\"name\":\"a\"} {}",
                "{\"name\":\"a\"}x",
                "{name:1}",
                "{'name':'x'}",
                "{\"gpu_count\":NaN}",
                "{\"gpu_count\":Infinity}",
                "{\"gpu_count\":01}",
                "{\"name\":\"\u0001\"}",
                "{\"name\":\"\\ud800\"}",
                "{\"name\":\"a\",}",
                "// comment\n{}"
            })
    void whatIsNotAJsonObjectIsMalformed(String body) {
        Running.Answered answered = rest.post("/api/v1/jobs", body);

        assertThat(answered.status()).isEqualTo(400);
        assertThat(answered.field("error")).startsWith("Invalid request body");
        assertThat(answered.field("hint")).isNotEmpty();
        assertThat(answered.headers()).containsEntry("content-type", "application/json");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "command             | {\"command\":\"python train.py\"}",
                "command[1]          | {\"command\":[\"a\",2]}",
                "gpu_count           | {\"gpu_count\":-1}",
                "gpu_count           | {\"gpu_count\":1.5}",
                "gpu_count           | {\"gpu_count\":\"2\"}",
                "gpu_count           | {\"gpu_count\":1000000000}",
                "gpu_count           | {\"gpu_count\":99999999999999999999999}",
                "gpu_count           | {\"gpu_count\":1e300}",
                "gpu_count           | {\"gpu_count\":true}",
                "gpu_memory_mb       | {\"gpu_memory_mb\":-5}",
                "gpu_memory_mb       | {\"gpu_memory_mb\":9223372036854775808}",
                "cpu_cores           | {\"cpu_cores\":-1}",
                "memory_mb           | {\"memory_mb\":-1}",
                "memory_mb           | {\"memory_mb\":1e400}",
                "priority            | {\"priority\":2147483648}",
                "priority            | {\"priority\":[]}",
                "name                | {\"name\":{}}",
                "tenant_id           | {\"tenant_id\":7}",
                "tenant_id           | {\"tenant_id\":\"\"}",
                "script              | {\"script\":[\"a\"]}",
                "environment         | {\"environment\":[]}",
                "environment.A       | {\"environment\":{\"A\":{}}}",
                "max_runtime_minutes | {\"max_runtime_minutes\":-1}",
                "max_runtime_minutes | {\"max_runtime_minutes\":1e18}",
                "grace_seconds       | {\"grace_seconds\":-1}",
                "gang_scheduling     | {\"gang_scheduling\":\"yes\"}",
                "tasks               | {\"tasks\":0}",
                "tasks               | {\"gpu_count\":7,\"tasks\":2}",
                "gpu_model           | {\"gpu_model\":5}",
                "tolerations[0]      | {\"tolerations\":[1]}",
                "near                | {\"near\":5}",
                "near                | {\"near\":\"rak\"}",
                "within              | {\"within\":[\"node\",\"shelf\"]}",
                "labels              | {\"labels\":\"a=b\"}"
            })
    void aWrongFieldIsNamed(String field, String body) {
        Running.Answered answered = rest.post("/api/v1/jobs", body);

        assertThat(answered.status()).as(answered.text()).isEqualTo(400);
        assertThat(answered.field("field")).isEqualTo(field);
        assertThat(answered.field("code")).isEqualTo("invalid");
        assertThat(answered.field("error")).isNotEmpty();
        assertThat(answered.field("hint")).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gpu_count     | {\"gpu_count\":NaN}",
                "gpu_count     | {\"name\":\"a\",\"gpu_count\":-Infinity}",
                "name          | {\"name\":\"a\",\"name\":\"b\"}",
                "name          | {\"name\":\"\\ud800\"}",
                "environment.A | {\"environment\":{\"A\":\"x\",\"A\":\"y\"}}",
                "command[1]    | {\"command\":[\"a\",NaN]}"
            })
    void theErrorOfInvalidJsonNamesTheField(String field, String body) {
        Running.Answered answered = rest.post("/api/v1/jobs", body);

        assertThat(answered.status()).as(answered.text()).isEqualTo(400);
        assertThat(answered.field("field")).isEqualTo(field);
        assertThat(answered.field("hint")).isNotEmpty();
    }

    @Test
    void allMistakesAreNamedAtOnce() {
        var answered = rest.post("/api/v1/jobs", "{\"gpu_count\":-1,\"command\":\"x\"}");

        assertThat(answered.field("error")).contains("gpu_count").contains("command");
    }

    @Test
    void anUnknownTenantIsNotFound() {
        var answered = rest.post("/api/v1/jobs", "{\"tenant_id\":\"nobody\"}");

        assertThat(answered.status()).isEqualTo(404);
        assertThat(answered.field("code")).isEqualTo("unknown_tenant");
        assertThat(answered.field("field")).isEqualTo("tenant_id");
    }

    @Test
    void moreThanTheQuotaIsForbidden() {
        assertThat(rest.post("/api/v1/jobs", "{\"tenant_id\":\"small\",\"gpu_count\":5}").status())
                .isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "job-999",
                "job-0",
                "job-",
                "job-1x",
                "nonsense",
                "job--1",
                "%00",
                "job-99999999999999999999"
            })
    void anUnknownJobIsNotFound(String id) {
        for (Running.Answered answered :
                List.of(
                        rest.get("/api/v1/jobs/" + id),
                        rest.delete("/api/v1/jobs/" + id),
                        rest.patch("/api/v1/jobs/" + id, "{\"priority\":1}"),
                        rest.get("/api/v1/jobs/" + id + "/explain"),
                        rest.get("/api/v1/jobs/" + id + "/events"),
                        rest.get("/api/v1/jobs/" + id + "/logs"),
                        rest.post("/api/v1/jobs/" + id + "/hold", ""),
                        rest.post("/api/v1/jobs/" + id + "/release", ""))) {
            assertThat(answered.status()).as(answered.text()).isEqualTo(404);
            assertThat(answered.field("code")).isEqualTo("unknown_job");
            assertThat(answered.field("field")).isEqualTo("job_id");
            assertThat(answered.field("error")).isEqualTo("Job not found");
            assertThat(answered.field("hint")).isNotEmpty();
        }
    }

    @Test
    void otherUnknownThingsAreNotFoundEither() {
        for (Running.Answered answered :
                List.of(
                        rest.get("/api/v1/tenants/nobody"),
                        rest.patch("/api/v1/tenants/nobody", "{}"),
                        rest.delete("/api/v1/tenants/nobody"),
                        rest.post("/api/v1/tenants/nobody/tokens", ""),
                        rest.delete("/api/v1/tenants/default/tokens/tok-1"),
                        rest.get("/api/v1/nodes/nowhere"),
                        rest.post("/api/v1/nodes/nowhere/drain", ""),
                        rest.get("/api/v2/jobs"),
                        rest.get("/api/v1/jobs/job-1/nothing"))) {
            assertThat(answered.status()).as(answered.text()).isEqualTo(404);
            assertThat(answered.field("error")).isNotEmpty();
        }
        assertThat(rest.send("PUT", "/api/v1/jobs", "{}", Map.of()).status()).isEqualTo(405);
    }

    @ParameterizedTest
    @CsvSource({
        "limit,/api/v1/jobs?limit=-1",
        "limit,/api/v1/jobs?limit=1001",
        "limit,/api/v1/jobs?limit=ten",
        "limit,/api/v1/jobs?limit=99999999999999999999",
        "offset,/api/v1/jobs?offset=-1",
        "offset,/api/v1/jobs?offset=1.5",
        "state,/api/v1/jobs?state=nonsense",
        "state,'/api/v1/jobs?state=running,nonsense'",
        "state,'/api/v1/jobs?state=running,'"
    })
    void aWrongQueryIsNamed(String field, String path) {
        Running.Answered answered = rest.get(path);

        assertThat(answered.status()).isEqualTo(400);
        assertThat(answered.field("field")).isEqualTo(field);
    }

    @Test
    void aWrongStateInAListNamesTheStatesThereAre() {
        Running.Answered answered = rest.get("/api/v1/jobs?status=running,nonsense");

        assertThat(answered.field("error")).isEqualTo("state is \"nonsense\"");
        assertThat(answered.field("hint"))
                .isEqualTo(
                        "write one or more of [pending, scheduled, running, completed, failed,"
                                + " preempted, cancelled], separated by commas");
    }

    @Test
    void wrongStatesAreConflicts() {
        String id = rest.submit("{}");
        rest.delete("/api/v1/jobs/" + id);

        for (Running.Answered answered :
                List.of(
                        rest.delete("/api/v1/jobs/" + id),
                        rest.post("/api/v1/jobs/" + id + "/hold", ""),
                        rest.post("/api/v1/jobs/" + id + "/release", ""),
                        rest.patch("/api/v1/jobs/" + id, "{\"priority\":1}"))) {
            assertThat(answered.status()).as(answered.text()).isEqualTo(409);
            assertThat(answered.field("code")).isEqualTo("wrong_state");
            assertThat(answered.field("field")).isEqualTo("state");
            assertThat(answered.field("hint")).contains("submit it again");
        }
        var needed = rest.delete("/api/v1/tenants/default");
        assertThat(needed.status()).isEqualTo(409);
        assertThat(needed.field("field")).isEqualTo("tenant_id");
        assertThat(needed.field("hint")).isNotEmpty();
        assertThat(rest.post("/api/v1/tenants", "{\"id\":\"small\",\"name\":\"x\"}").status())
                .isEqualTo(409);
        assertThat(rest.get("/api/v1/jobs/" + id + "/logs?task=7").status()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name              | {}",
                "name              | {\"name\":\"  \"}",
                "id                | {\"name\":\"x\",\"id\":\"a b\"}",
                "max_gpus          | {\"name\":\"x\",\"max_gpus\":-1}",
                "max_gpus          | {\"name\":\"x\",\"max_gpus\":1e30}",
                "fair_share_weight | {\"name\":\"x\",\"fair_share_weight\":0}",
                "fair_share_weight | {\"name\":\"x\",\"fair_share_weight\":\"1\"}",
                "fair_share_weight | {\"name\":\"x\",\"fair_share_weight\":-3}",
                "fair_share_weight | {\"name\":\"x\",\"fair_share_weight\":\"NaN\"}",
                "fair_share_weight | {\"name\":\"x\",\"fair_share_weight\":1e999}",
                "guaranteed_gpus   | {\"name\":\"x\",\"guaranteed_gpus\":9,\"max_gpus\":8}",
                "parent_id         | {\"name\":\"x\",\"parent_id\":\"nobody\"}",
                "priority_tier     | {\"name\":\"x\",\"priority_tier\":\"royal\"}",
                "allow_preemption  | {\"name\":\"x\",\"allow_preemption\":1}"
            })
    void aWrongFieldOfATenantIsNamed(String field, String body) {
        Running.Answered answered = rest.post("/api/v1/tenants", body);

        assertThat(answered.status()).as(answered.text()).isEqualTo(400);
        assertThat(answered.field("field")).isEqualTo(field);
    }

    @Test
    void aCycleOfParentsIsRefusedWithTheNearestParent() {
        rest.post("/api/v1/tenants", "{\"id\":\"top\",\"name\":\"x\"}");
        rest.post("/api/v1/tenants", "{\"id\":\"middle\",\"name\":\"x\",\"parent_id\":\"top\"}");
        rest.post("/api/v1/tenants", "{\"id\":\"low\",\"name\":\"x\",\"parent_id\":\"middle\"}");

        var cycle = rest.patch("/api/v1/tenants/middle", "{\"parent_id\":\"low\"}");
        assertThat(cycle.status()).as(cycle.text()).isEqualTo(400);
        assertThat(cycle.field("field")).isEqualTo("parent_id");
        assertThat(cycle.field("hint")).startsWith("leave it as it is, top");

        var unknown = rest.patch("/api/v1/tenants/low", "{\"parent_id\":\"midle\"}");
        assertThat(unknown.field("field")).isEqualTo("parent_id");
        assertThat(unknown.field("hint")).isEqualTo("the nearest is middle");
    }

    @Test
    void aPriorityThatIsNoneIsRefused() {
        String id = rest.submit("{}");
        for (String body :
                List.of("{}", "{\"priority\":\"9\"}", "{\"priority\":1.5}", "{\"priority\":1e9}")) {
            var answered = rest.patch("/api/v1/jobs/" + id, body);
            assertThat(answered.status()).isEqualTo(400);
            assertThat(answered.field("field")).isEqualTo("priority");
        }
    }

    @Test
    void aBodyBeyondTheLimitIsTooLarge() {
        String body = "{\"script\":\"" + "x".repeat(70_000) + "\"}";
        var answered = rest.post("/api/v1/jobs", body);

        assertThat(answered.status()).isEqualTo(413);
        assertThat(answered.field("code")).isEqualTo("too_large");
        String chunked =
                "POST /api/v1/jobs HTTP/1.1\r\n"
                        + "Host: localhost\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n"
                        + Integer.toHexString(body.length())
                        + "\r\n"
                        + body
                        + "\r\n0\r\n\r\n";
        assertThat(Raw.status(Raw.send(rest.server(), chunked))).isEqualTo(413);

        var scored = rest.post("/v1/score", body);
        assertThat(scored.status()).isEqualTo(413);
        assertThat(scored.json().get("detail").asText()).contains("65536 bytes");
        assertThat(scored.json().has("error")).isFalse();
        String early =
                Raw.send(
                        rest.server(),
                        "POST /v1/score HTTP/1.1\r\nHost: localhost\r\n"
                                + "Content-Length: 70000000\r\n\r\n{");
        assertThat(Raw.status(early)).isEqualTo(413);
        assertThat(early).as("before anybody has read it").contains("{\"detail\":\"");
    }

    @Test
    void aDeeplyNestedBodyIsRefused() {
        for (String deep :
                List.of(
                        "[".repeat(20_000),
                        "{\"a\":".repeat(5_000) + "1" + "}".repeat(5_000),
                        "{\"labels\":" + "[".repeat(100) + "]".repeat(100) + "}")) {
            var answered = rest.post("/api/v1/jobs", deep);
            assertThat(answered.status()).isEqualTo(400);
            assertThat(answered.field("error"))
                    .startsWith("Invalid request body")
                    .contains("nesting depth (33) exceeds the maximum allowed (32)");
            assertThat(answered.field("hint")).isNotEmpty();
        }
    }

    @Test
    void aTooLongKeyIsRefused() {
        var answered =
                rest.send("POST", "/api/v1/jobs", "{}", Map.of("Idempotency-Key", "k".repeat(300)));

        assertThat(answered.status()).isEqualTo(400);
        assertThat(answered.field("field")).isEqualTo("Idempotency-Key");
    }

    @Test
    void brokenHttpIsAnsweredInJsonOrNotAtAll() {
        for (String request :
                List.of(
                        "nonsense\r\n\r\n",
                        "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
                        "GET /\r\n\r\n",
                        "GET / HTTP/1.1\r\n\r\n",
                        "GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
                        post("Content-Length: x"),
                        post("Content-Length: -1"),
                        "GET /" + "a".repeat(50_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
                        "GET / HTTP/1.1\r\nHost: localhost\r\nA: "
                                + "a".repeat(50_000)
                                + "\r\n\r\n",
                        "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
            String answer = Raw.send(rest.server(), request);
            assertThat(answer).doesNotContain("\tat ").doesNotContain("Exception");
            if (!answer.isEmpty()) {
                assertThat(Raw.status(answer)).as(request).isBetween(400, 505);
                assertThat(answer).as(request).contains("\"error\"");
            }
        }
    }

    private static String post(String header) {
        return "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n\r\n";
    }

    @Test
    void noRandomBodyBreaksTheServerOrIsHalfDone() {
        long seed = Long.getLong("seed", System.nanoTime());
        var random = new Random(seed);
        int accepted = 0;
        int before = rest.get("/api/v1/jobs?limit=0").json().get("total").asInt();
        for (int round = 0; round < 1500; round++) {
            byte[] body = Mutations.of(random).getBytes(StandardCharsets.UTF_8);
            if (random.nextInt(4) == 0 && body.length > 0) {
                body[random.nextInt(body.length)] = (byte) random.nextInt(256);
            }
            String text = new String(body, StandardCharsets.ISO_8859_1);
            String answer =
                    Raw.send(
                            rest.server(),
                            "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                                    + "Content-Length: "
                                    + body.length
                                    + "\r\n\r\n"
                                    + text);
            int status = Raw.status(answer);
            assertThat(status)
                    .as("seed %d round %d body %s → %s", seed, round, Arrays.toString(body), answer)
                    .isIn(201, 400, 403, 404);
            assertThat(answer).contains(status == 201 ? "\"job_id\"" : "\"error\"");
            accepted += status == 201 ? 1 : 0;
        }
        JsonNode after = rest.get("/api/v1/jobs?limit=0").json();
        assertThat(after.get("total").asInt()).as("seed %d", seed).isEqualTo(before + accepted);
        assertThat(rest.get("/health").status()).isEqualTo(200);
    }
}
