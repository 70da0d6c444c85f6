package io.gpusched.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;

import io.gpusched.cli.Shell;
import io.gpusched.cli.Stand;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/// `gpu-cli events`.
final class EventsCommandTest {
    private static final String EVENTS = "GET /api/v1/events";
    private static final String JOB = "GET /api/v1/jobs/job-7";

    private final Stand stand = new Stand();
    private final List<Stand> later = new ArrayList<>();

    @AfterEach
    void close() {
        stand.close();
        later.forEach(Stand::close);
    }

    private static String frame(String id, String kind, String job) {
        return """
        id: %s
        event: %s
        data: {"id":"%s","at":"2026-01-05T12:00:00Z","kind":"%s","job_id":"%s","message":"so"}

        """
                .formatted(id, kind, id, kind, job);
    }

    private static String notice(String kind, String reason, String code) {
        return """
        event: %s
        data: {"reason":"%s","code":"%s"}

        """
                .formatted(kind, reason, code);
    }

    private static Stand.CannedResponse stream(String... frames) {
        return new Stand.CannedResponse(
                200, "text/event-stream", "retry: 2000\nid: 1-0\n\n" + String.join("", frames));
    }

    @Test
    void theNewestEventsOfEverythingAreListed() {
        stand.says(
                EVENTS,
                """
                {"events":[
                 {"id":"7-0","at":"2026-01-05T12:00:00Z","kind":"running","job_id":"job-7",
                  "tenant_id":"t","node_id":null,"message":"run 1 is running"},
                 {"id":"8-0","at":"2026-01-05T12:00:01Z","kind":"node_lost","job_id":null,
                  "tenant_id":null,"node_id":"n1","message":"node n1 is lost"}],"total":2}
                """);
        assertThat(Shell.at(stand).run("events", "--limit", "2").out())
                .isEqualTo(
                        """
                        AT                    KIND       ABOUT  MESSAGE
                        2026-01-05T12:00:00Z  running    job-7  run 1 is running
                        2026-01-05T12:00:01Z  node_lost  n1     node n1 is lost
                        """);
        assertThat(stand.lines()).containsExactly(EVENTS + "?limit=2");
        assertThat(Shell.at(stand).run("events", "-o", "name").out()).isEqualTo("7-0\n8-0\n");
    }

    @Test
    void filtersArePassedOn() {
        stand.says(EVENTS, stream());
        Shell.at(stand)
                .interruptedAfter(0)
                .run("events", "-f", "--tenant", "a,b", "--node", "n 1", "--kind", "failed");
        assertThat(stand.lines()).containsExactly(EVENTS + "?tenant=a%2Cb&node=n%201&kind=failed");
        assertThat(stand.onlyAsked().headers()).containsEntry("accept", "text/event-stream");
    }

    @Test
    void followingContinuesAfterTheLastEventWhenTheConnectionBreaks() {
        stand.says(JOB, "{\"job_id\":\"job-7\"}")
                .says(EVENTS, stream(frame("2-0", "submitted", "job-7"), "data: half of an ev"))
                .says(EVENTS, 503, "{\"error\":\"not yet\"}")
                .says(EVENTS, stream(": alive\nid: 4-1\n\n"))
                .says(EVENTS, stream(frame("5-0", "running", "job-7")));

        var outcome = Shell.at(stand).interruptedAfter(3).run("events", "-f", "job-7");

        assertThat(outcome.out())
                .isEqualTo(
                        """
                        2026-01-05T12:00:00Z  submitted        job-7         so
                        2026-01-05T12:00:00Z  running          job-7         so
                        """);
        assertThat(stand.asked().stream().skip(1).map(one -> one.headers().get("last-event-id")))
                .containsExactly(null, "2-0", "2-0", "4-1");
        assertThat(stand.lines()).containsOnly(JOB, EVENTS + "?job=job-7");
        assertThat(outcome.err()).contains("connecting again to continue after 2-0");
    }

    @Test
    void aJobThatDoesNotExistIsNotFollowed() {
        stand.says(JOB, 404, "{\"error\":\"there is no job job-7\"}");
        var outcome = Shell.at(stand).run("events", "--follow", "job-7");
        assertThat(outcome.err()).contains("there is no job job-7");
        assertThat(stand.lines()).containsExactly(JOB);
    }

    @Test
    void followingOutlivesARestartOfTheServer() {
        stand.says(EVENTS, stream(frame("2-0", "submitted", "job-7")));
        int port = stand.port();
        var outcome =
                Shell.at(stand)
                        .atPause(stand::close)
                        .atPause(() -> restart(port))
                        .interruptedAfter(2)
                        .run("events", "--follow", "-o", "json");

        assertThat(outcome.out().lines())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("{\"id\":\"2-0\"");
        assertThat(outcome.out().lines().toList().getLast()).startsWith("{\"id\":\"3-0\"");
        assertThat(later.getFirst().onlyAsked().headers()).containsEntry("last-event-id", "2-0");
        assertThat(outcome.err())
                .contains("the server ended the stream")
                .contains("connected again");
    }

    private void restart(int port) {
        try {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            later.add(
                    new Stand(HttpServer.create(address, 0))
                            .says(EVENTS, stream(frame("3-0", "running", "job-7"))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void missedEventsAndTheEndOfATokenAreSaidOnStandardError() {
        stand.says(
                EVENTS,
                stream(
                        notice("resync", "too slow", ""),
                        notice("closed", "this token has been revoked", "revoked")));
        var outcome = Shell.at(stand).run("events", "--follow");
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err())
                .contains("events were missed: too slow")
                .contains("this token has been revoked")
                .doesNotContain("connecting again");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(stand.asked()).hasSize(1);
    }

    @Test
    void aServerThatStopsIsConnectedToAgain() {
        stand.says(EVENTS, stream(notice("closed", "the server is shutting down", "stopping")))
                .says(EVENTS, stream(frame("2-0", "running", "job-7")));
        var outcome = Shell.at(stand).interruptedAfter(1).run("events", "--follow");
        assertThat(outcome.out()).contains("running");
        assertThat(outcome.err())
                .contains("the server is shutting down")
                .contains("connecting again")
                .contains("connected again");
    }

    @Test
    void anOlderServerIsNotFollowed() {
        stand.says(EVENTS, "{\"events\":[],\"total\":0}");
        var outcome = Shell.at(stand).run("events", "--follow");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.err()).contains("this server has no live events");
    }
}
