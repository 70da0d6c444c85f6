package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.server.auth.Tokens;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Live events over Server-Sent Events, and the list of the newest.
@Timeout(120)
final class EventStreamTest {
    private static final Map<String, String> AUTH = Map.of("GPU_SCHEDULER_AUTH_ENABLED", "true");

    @TempDir Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
    }

    private <T extends AutoCloseable> T keep(T one) {
        open.add(one);
        return one;
    }

    private Running start(Map<String, String> settings) {
        return keep(Running.in(folder, settings));
    }

    private EventListener listen(Running rest, String query) {
        return keep(EventListener.at(rest.server(), query, Map.of()));
    }

    private EventListener listenAs(Running rest, String token, String query) {
        return keep(
                EventListener.at(rest.server(), query, Map.of("Authorization", "Bearer " + token)));
    }

    @Test
    void theLifeOfAJobAndOfItsNodeArrivesAsItHappens() {
        Running rest = start(Map.of());
        EventListener listener = listen(rest, "");
        var nodes = new FakeNodes(rest.server()).join("n1", 2);
        String job = rest.submit("{\"gpu_count\":2}");
        Soon.that("it is placed", () -> state(rest, job).equals("scheduled"));
        nodes.run(job);
        rest.post("/api/v1/nodes/n1/drain", "{}");
        nodes.end(job, 0);
        listener.await("node_drained");

        assertThat(listener.frames().stream().map(EventListener.Frame::event))
                .containsSubsequence(
                        "node_joined",
                        "submitted",
                        "scheduled",
                        "running",
                        "node_draining",
                        "completed",
                        "node_drained");
        EventListener.Frame scheduled = listener.await("scheduled", job);
        assertThat(scheduled.id()).isEqualTo(scheduled.text("id")).matches("[0-9]+-[0-9]+");
        assertThat(scheduled.text("subject")).isEqualTo("job");
        assertThat(scheduled.text("tenant_id")).isEqualTo("default");
        assertThat(scheduled.text("node_id")).isEqualTo("n1");
        assertThat(scheduled.text("message")).startsWith("run 1 on n1[0-1]");
        assertThat(listener.await("node_draining").data().get("job_id").isNull()).isTrue();
        nodes.silence("n1");
        nodes.lose("n1");
        nodes.join("n1", 2);
        assertThat(listener.await("node_unreachable").text("node_id")).isEqualTo("n1");
        assertThat(listener.await("node_lost").text("message"))
                .isEqualTo(
                        "node n1 is lost, and its jobs start elsewhere: its agent was silent for"
                                + " too long");
        listener.await("node_back");
    }

    @Test
    void anEventArrivesTogetherWithTheStateThatItTellsOf() {
        Running rest = start(Map.of());
        EventListener listener = listen(rest, "?kind=cancelled");
        for (int i = 0; i < 20; i++) {
            String job = rest.submit("{}");
            rest.delete("/api/v1/jobs/" + job);
            listener.await("cancelled", job);
            assertThat(state(rest, job)).isEqualTo("cancelled");
        }
    }

    @Test
    void aResumedStreamEqualsAnUnbrokenOneAlsoAcrossARestart() {
        Running first = start(Map.of());
        EventListener before = listen(first, "");
        new FakeNodes(first.server()).join("n1", 4);
        first.post("/api/v1/tenants", "{\"id\":\"team\",\"name\":\"Team\"}");
        String cut = "";
        for (int i = 0; i < 10; i++) {
            String job = first.submit("{\"priority\":" + i + "}");
            before.await("submitted", job);
            if (i == 4) {
                cut = before.last();
            }
        }
        first.post("/api/v1/nodes/n1/cordon", "{}");
        before.await("node_cordoned");
        List<String> unbroken = texts(before.frames());
        first.close();
        Soon.that("the stream ends", before::isEnded);
        assertThat(before.frames().getLast().event()).isEqualTo("closed");
        assertThat(before.frames().getLast().text("reason"))
                .isEqualTo("the server is shutting down");
        assertThat(before.frames().getLast().text("code")).isEqualTo("stopping");

        Running second = start(Map.of());
        var resumed = keep(EventListener.at(second.server(), "", Map.of("Last-Event-ID", cut)));
        String last = second.submit("{}");
        resumed.await("submitted", last);
        List<String> rest = texts(resumed.frames());
        int from = indexAfter(unbroken, cut);
        assertThat(rest.subList(0, unbroken.size() - from))
                .isEqualTo(unbroken.subList(from, unbroken.size()));
        assertThat(rest).doesNotHaveDuplicates();
        assertThat(resumed.frames().stream().map(EventListener.Frame::event))
                .contains("started")
                .doesNotContain("resync");

        EventListener parameter = listen(second, "?last_event_id=" + cut);
        parameter.await("submitted", last);
        assertThat(texts(parameter.frames())).isEqualTo(rest);
    }

    /// What the listener was sent until now, without the notice that the server stops.
    private static List<String> texts(List<EventListener.Frame> frames) {
        return frames.stream()
                .filter(frame -> !frame.event().equals("closed"))
                .map(EventListener.Frame::toString)
                .toList();
    }

    private static int indexAfter(List<String> texts, String id) {
        for (int i = 0; i < texts.size(); i++) {
            if (texts.get(i).startsWith(id + " ")) {
                return i + 1;
            }
        }
        throw new AssertionError(id + " is not in " + texts);
    }

    @Test
    void filtersSelectEvents() {
        Running rest = start(Map.of());
        new FakeNodes(rest.server()).join("n1", 1).join("n2", 1);
        EventListener ended = listen(rest, "?kind=cancelled,submitted&tenant=default");
        EventListener node = listen(rest, "?node=n2");
        String one = rest.submit("{\"gpu_count\":1}");
        EventListener job = listen(rest, "?job=" + one);
        rest.post("/api/v1/nodes/n1/cordon", "{}");
        rest.post("/api/v1/nodes/n2/cordon", "{}");
        String two = rest.submit("{\"gpu_count\":1}");
        rest.delete("/api/v1/jobs/" + two);
        rest.delete("/api/v1/jobs/" + one);
        ended.await("cancelled", two);
        assertThat(ended.frames().stream().map(EventListener.Frame::event))
                .containsOnly("submitted", "cancelled");
        node.await("node_cordoned");
        assertThat(node.frames()).allMatch(frame -> frame.text("node_id").equals("n2"));
        job.await("stopping");
        assertThat(job.frames()).allMatch(frame -> frame.text("job_id").equals(one));
    }

    @ParameterizedTest
    @CsvSource({
        "kind=lost,kind,node_lost",
        "job=7,job,job-7",
        "kinds=running,kinds,kind",
        "last_event_id=x,last_event_id,512-3",
        "last_event_id=1-2-3,last_event_id,512-3",
        "last_event_id=99999999999999999999-1,last_event_id,512-3"
    })
    void aBadParameterIsRefusedByName(String query, String field, String hint) {
        Running rest = start(Map.of());
        var refused =
                rest.send(
                        "GET",
                        "/api/v1/events?" + query,
                        null,
                        Map.of("Accept", "text/event-stream"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.field("field")).isEqualTo(field);
        assertThat(refused.field("hint")).contains(hint);
    }

    @Test
    void anIdThatThisServerNeverHadMeansReadingTheStateAgain() {
        Running rest = start(Map.of());
        EventListener listener = listen(rest, "?last_event_id=999999-0");
        EventListener.Frame resync = listener.await("resync");
        assertThat(resync.text("reason")).isEqualTo("this server has no event 999999-0");
        assertThat(resync.text("newest")).isEqualTo(resync.id());
        String job = rest.submit("{}");
        listener.await("submitted", job);
    }

    @Test
    void theListHasTheNewestEventsAlsoAfterARestart() {
        Running first = start(Map.of());
        for (int i = 0; i < 5; i++) {
            first.submit("{}");
        }
        first.close();
        Running rest = start(Map.of());
        JsonNode list = rest.get("/api/v1/events?kind=submitted&limit=3").json();
        assertThat(list.get("total").asInt()).isEqualTo(3);
        assertThat(list.at("/events/2/job_id").asText()).isEqualTo("job-5");
        assertThat(list.at("/events/0/job_id").asText()).isEqualTo("job-3");
        JsonNode none = rest.get("/api/v1/events?limit=0").json();
        assertThat(none.get("total").asInt()).isZero();
        assertThat(none.get("events").isEmpty()).isTrue();
        assertThat(
                        rest.send(
                                        "HEAD",
                                        "/api/v1/events",
                                        null,
                                        Map.of("Accept", "text/event-stream"))
                                .status())
                .isEqualTo(200);
    }

    @Test
    void aTenantSeesItsOwnEventsAndNoNameOfOthers() {
        Running rest = start(AUTH).asAdmin();
        new FakeNodes(rest.server()).join("n1", 1);
        String mine = tenant(rest, "mine");
        tenant(rest, "others");
        EventListener admin = listenAs(rest, adminToken(rest), "");
        EventListener member = listenAs(rest, mine, "");
        assertThat(listenAs(rest, mine, "?tenant=others").status()).isEqualTo(404);
        EventListener pryingJob = listenAs(rest, mine, "?job=job-2,job-3");
        rest.asAdmin();
        String victim = rest.submit("{\"tenant_id\":\"mine\",\"gpu_count\":1}");
        admin.await("scheduled", victim);
        String preemptor =
                rest.submit("{\"tenant_id\":\"others\",\"gpu_count\":1,\"priority\":1000}");
        admin.await("stopping", victim);
        String own = rest.submit("{\"tenant_id\":\"mine\"}");
        rest.post("/api/v1/nodes/n1/cordon", "{}");
        admin.await("node_cordoned");
        member.await("node_cordoned");
        assertThat(admin.await("stopping", victim).text("message")).contains(preemptor);
        assertThat(member.await("stopping", victim).text("message"))
                .contains("another tenant's job")
                .doesNotContain(preemptor)
                .doesNotContain("others");
        member.await("submitted", own);
        assertThat(member.frames())
                .allMatch(
                        frame ->
                                frame.text("tenant_id").equals("mine")
                                        || frame.data().get("tenant_id").isNull()
                                                && frame.data().get("job_id").isNull());
        assertThat(member.frames().toString()).doesNotContain(preemptor).doesNotContain("others");
        assertThat(pryingJob.frames()).allMatch(frame -> frame.text("tenant_id").equals("mine"));
        var history = rest.as(mine).get("/api/v1/jobs/" + victim + "/events");
        assertThat(history.text()).contains("another tenant's job").doesNotContain(preemptor);
        var list = rest.as(mine).get("/api/v1/events");
        assertThat(list.text()).contains(victim).doesNotContain(preemptor).doesNotContain("others");
    }

    @Test
    void aRevokedTokenEndsTheStream() {
        Running rest = start(AUTH).asAdmin();
        String token = tenant(rest, "mine");
        EventListener member = listenAs(rest, token, "");
        rest.asAdmin();
        assertThat(
                        rest.delete(
                                        "/api/v1/tenants/mine/tokens/"
                                                + token.substring(0, token.indexOf('.')))
                                .status())
                .isEqualTo(200);
        assertThat(member.await("closed").text("reason")).isEqualTo("this token has been revoked");
        assertThat(member.await("closed").text("code")).isEqualTo("revoked");
        Soon.that("the stream ends", member::isEnded);
        assertThat(listenAs(rest, token, "").status()).isEqualTo(401);
    }

    @Test
    void aPageOfAnotherOriginIsRefused() {
        Running rest = start(Map.of());
        var foreign =
                keep(EventListener.at(rest.server(), "", Map.of("Origin", "http://evil.example")));
        assertThat(foreign.status()).isEqualTo(403);
    }

    @Test
    void aListenerThatDoesNotReadSlowsNobody() throws Exception {
        Running rest = start(Map.of());
        var uri = URI.create(rest.server().url());
        try (var deaf = new Socket()) {
            deaf.setReceiveBufferSize(1024);
            deaf.connect(new InetSocketAddress(uri.getHost(), uri.getPort()));
            String request =
                    """
                    GET /api/v1/events HTTP/1.1\r
                    Host: 127.0.0.1\r
                    Accept: text/event-stream\r
                    \r
                    """;
            deaf.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            EventListener listener = listen(rest, "?kind=submitted");
            Soon.that(
                    "both listen",
                    () ->
                            rest.get("/metrics")
                                    .text()
                                    .contains("gpu_scheduler_event_listeners 2.0"));
            for (int i = 0; i < 300; i++) {
                rest.submit("{\"name\":\"%s\"}".formatted("x".repeat(60)));
            }
            listener.await("submitted", "job-300");
            assertThat(listener.frames()).hasSize(300);
        }
    }

    @Test
    void listenersAreCounted() {
        Running rest = start(Map.of());
        EventListener listener = listen(rest, "");
        listener.await("submitted", rest.submit("{}"));
        String metrics = rest.get("/metrics").text();
        assertThat(metrics)
                .contains("gpu_scheduler_event_listeners 1.0")
                .contains("gpu_scheduler_event_resyncs_total 0.0")
                .contains("gpu_scheduler_event_lag_seconds ");
        assertThat(metrics).containsPattern("gpu_scheduler_events_sent_total [1-9]");
        listener.close();
    }

    private static String tenant(Running rest, String id) {
        rest.asAdmin()
                .post(
                        "/api/v1/tenants",
                        "{\"id\":\"%s\",\"name\":\"%s\",\"allow_preemption\":true}"
                                .formatted(id, id));
        var made = rest.post("/api/v1/tenants/" + id + "/tokens", "");
        return made.field("token");
    }

    private static String adminToken(Running rest) {
        try {
            return Files.readString(Tokens.adminFile(rest.server().config().dataDir())).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String state(Running rest, String job) {
        return rest.job(job).get("state").asText();
    }
}
