package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.server.agents.LoopbackAgent;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/// The output of jobs over REST, from real agents that run real processes.
@Timeout(60)
final class LogRestTest {
    private static final String NEXT = "x-log-next-offset";

    @TempDir static Path temp;

    private static Running rest;
    private static List<LoopbackAgent> agents = List.of();

    @BeforeAll
    static void start() {
        rest = Running.in(temp.resolve("data"));
        int port = rest.server().grpcPort();
        agents = List.of(new LoopbackAgent("n1", temp, port), new LoopbackAgent("n2", temp, port));
        Soon.that(
                "both nodes are there",
                () -> rest.get("/api/v1/cluster/status").field("online_nodes").equals("2"));
    }

    @AfterAll
    static void stop() {
        agents.forEach(LoopbackAgent::close);
        rest.close();
    }

    @Test
    void whatAJobWroteIsReadWholeOrFromAnyByteOn() {
        String id = completed("echo first; echo 'naïve 2nd' >&2; printf end");
        String all = "first\nnaïve 2nd\nend";
        int bytes = all.getBytes(StandardCharsets.UTF_8).length;

        var whole = log(id, "");
        assertThat(whole.status()).isEqualTo(200);
        assertThat(whole.text()).isEqualTo(all);
        assertThat(whole.headers()).containsEntry(NEXT, "" + bytes);
        assertThat(whole.headers().get("content-type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(log(id, "?offset=6").text()).isEqualTo("naïve 2nd\nend");
        assertThat(log(id, "?offset=6").headers()).containsEntry(NEXT, "" + bytes);
        assertThat(log(id, "?offset=-3").text()).isEqualTo("end");
        assertThat(log(id, "?offset=-1000").text()).isEqualTo(all);
        for (int offset : new int[] {bytes, bytes + 1, 1_000_000}) {
            var nothing = log(id, "?offset=" + offset);
            assertThat(nothing.status()).isEqualTo(200);
            assertThat(nothing.text()).isEmpty();
            assertThat(nothing.headers()).as("from %d", offset).containsEntry(NEXT, "" + bytes);
        }
    }

    @Test
    void aLongLogComesInPiecesThatJoin() {
        String id = completed("i=0; while [ $i -lt 30 ]; do printf %065536d $i; i=$((i+1)); done");
        var all = new StringBuilder();
        int pieces = 0;
        while (all.length() < 30 * 65_536) {
            var piece = log(id, "?offset=" + all.length());
            assertThat(piece.text()).isNotEmpty();
            all.append(piece.text());
            assertThat(piece.headers()).containsEntry(NEXT, "" + all.length());
            pieces++;
        }
        assertThat(pieces).isGreaterThan(1);
        for (int i = 0; i < 30; i++) {
            assertThat(Integer.parseInt(all.substring(i * 65_536, (i + 1) * 65_536))).isEqualTo(i);
        }
    }

    @Test
    void everyTaskOfAGangHasALogOfItsOwn() {
        String id =
                rest.submit(
                        """
                        {"gpu_count":8,"gang_scheduling":true,
                         "script":"echo I am $RANK of $WORLD_SIZE"}\
                        """);
        awaitEnd(id);
        assertThat(rest.job(id).at("/allocated_gpus").toString()).contains("n1").contains("n2");
        assertThat(log(id, "").text()).isEqualTo("I am 0 of 2\n");
        assertThat(log(id, "?task=1").text()).isEqualTo("I am 1 of 2\n");
        assertThat(log(id, "?task=1&offset=5").text()).isEqualTo("1 of 2\n");
        assertThat(log(id, "?task=1&follow=true").text()).isEqualTo("I am 1 of 2\n");
    }

    @Test
    void theOnlyTaskOfAGangGetsTheSameVariablesAsOneOfMany() {
        String id =
                rest.submit(
                        """
                        {"gpu_count":2,"gang_scheduling":true,
                         "script":"echo $RANK/$WORLD_SIZE $LOCAL_RANK $MASTER_ADDR;\
                        [ $MASTER_PORT -gt 1023 ]"}\
                        """);
        awaitEnd(id);
        assertThat(rest.job(id).get("exit_code").asInt()).isZero();
        assertThat(log(id, "").text()).isEqualTo("0/1 0 127.0.0.1\n");
    }

    @Test
    void aFollowerReadsEachLineAsItIsWrittenUntilTheJobEnds() throws Exception {
        Path second = temp.resolve("second");
        Path third = temp.resolve("third");
        String id =
                rest.submit(
                        """
                        {"script":"echo one; %s echo two; %s echo three"}\
                        """
                                .formatted(waitFor(second), waitFor(third)));
        Soon.that("it runs", () -> state(id).equals("running"));
        try (var client = HttpClient.newHttpClient();
                var lines = following(client, id, "?follow=true")) {
            assertThat(lines.readLine()).isEqualTo("one");
            Files.createFile(second);
            assertThat(lines.readLine()).isEqualTo("two");
            try (var later = following(client, id, "?follow=true&offset=4")) {
                assertThat(later.readLine()).isEqualTo("two");
                assertThat(state(id)).isEqualTo("running");
                Files.createFile(third);
                assertThat(lines.readLine()).isEqualTo("three");
                assertThat(lines.readLine()).as("the end").isNull();
                assertThat(later.readLine()).isEqualTo("three");
                assertThat(later.readLine()).as("the end").isNull();
            }
        }
        awaitEnd(id);
        assertThat(log(id, "?follow=true").text()).isEqualTo("one\ntwo\nthree\n");
    }

    @Test
    void followingACompleteLogFromItsEndIsAnsweredToAClientThatClosesTheConnection()
            throws Exception {
        String id = completed("echo all");
        try (var socket = closing(id, "follow=true&offset=4")) {
            assertThat(text(socket)).startsWith("HTTP/1.1 200 OK").contains("X-Log-Next-Offset: 4");
        }
    }

    @Test
    void followingARunThatWritesNothingIsAnsweredToAClientThatClosesTheConnection()
            throws Exception {
        Path end = temp.resolve("end-of-silence");
        String id = rest.submit("{\"script\":\"%s true\"}".formatted(waitFor(end)));
        Soon.that("it runs", () -> state(id).equals("running"));
        long before = answered();
        try (var socket = closing(id, "follow=true")) {
            var scrapes = new AtomicInteger();
            Soon.that("the log is followed", () -> answered() - before > scrapes.incrementAndGet());
            Files.createFile(end);
            assertThat(text(socket)).startsWith("HTTP/1.1 200 OK");
        }
    }

    /// The requests that were answered before this one.
    private static long answered() {
        var count =
                Pattern.compile("gpu_scheduler_http_requests_total\\{status=\"2xx\"} ([0-9.]+)")
                        .matcher(rest.get("/metrics").text());
        assertThat(count.find()).isTrue();
        return (long) Double.parseDouble(count.group(1));
    }

    private static Socket closing(String id, String query) throws IOException {
        var uri = URI.create(rest.server().url());
        var socket = new Socket(uri.getHost(), uri.getPort());
        socket.getOutputStream()
                .write(
                        """
                        GET /api/v1/jobs/%s/logs?%s HTTP/1.1\r
                        Host: localhost\r
                        Connection: close\r
                        \r
                        """
                                .formatted(id, query)
                                .getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    private static String text(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({"task,1", "task,-1", "task,x", "offset,1.5", "offset,many", "follow,perhaps"})
    void whatCannotBeAskedIsRefusedByName(String field, String value) {
        String id = rest.submit("{\"script\":\"true\"}");
        var refused = log(id, "?" + field + "=" + value);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.field("field")).isEqualTo(field);
        assertThat(refused.field("error")).contains(field + " is \"" + value + "\"");
        assertThat(refused.field("hint")).startsWith("write ");
    }

    private static BufferedReader following(HttpClient client, String id, String query)
            throws Exception {
        var uri = URI.create(rest.server().url() + "/api/v1/jobs/" + id + "/logs" + query);
        var answer =
                client.send(
                        HttpRequest.newBuilder(uri).build(),
                        HttpResponse.BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    }

    private static String waitFor(Path file) {
        return "while [ ! -e " + file + " ]; do sleep 0.02; done;";
    }

    private static String completed(String script) {
        String id = rest.submit("{\"script\":\"" + script + "\"}");
        awaitEnd(id);
        return id;
    }

    private static void awaitEnd(String id) {
        Soon.that(id + " completes", () -> state(id).equals("completed"));
    }

    private static String state(String id) {
        return rest.job(id).get("state").asText();
    }

    private static Running.Answered log(String id, String query) {
        return rest.get("/api/v1/jobs/" + id + "/logs" + query);
    }
}
