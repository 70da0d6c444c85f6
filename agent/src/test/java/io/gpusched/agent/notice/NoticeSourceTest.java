package io.gpusched.agent.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The sources against a metadata service on this machine that answers as the providers document.
final class NoticeSourceTest {
    private final List<String> requests = new ArrayList<>();
    private HttpServer server;
    private int status = 404;
    private String body = "";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        boolean token = exchange.getRequestMethod().equals("PUT");
        if (!token && exchange.getRequestURI().getPath().contains("spot")) {
            assertThat(exchange.getRequestHeaders().getFirst("X-aws-ec2-metadata-token"))
                    .isEqualTo("secret");
        }
        byte[] bytes = (token ? "secret" : body).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(token ? 200 : status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private NoticeSource source(String provider) {
        return NoticeSource.of(provider + "=http://127.0.0.1:" + server.getAddress().getPort());
    }

    private @Nullable Announcement read(NoticeSource source, int code, String text)
            throws IOException, InterruptedException {
        status = code;
        body = text;
        return source.read();
    }

    @Test
    void amazonSaysWhenAndAnswers404Before() throws Exception {
        NoticeSource aws = source("aws");
        assertThat(read(aws, 404, "")).isNull();
        assertThat(read(aws, 200, "{\"action\":\"terminate\",\"time\":\"2026-01-02T03:04:05Z\"}"))
                .isEqualTo(new Announcement(Instant.parse("2026-01-02T03:04:05Z")));
        assertThat(requests)
                .containsSubsequence(
                        "PUT /latest/api/token", "GET /latest/meta-data/spot/instance-action");
    }

    @Test
    void googleSaysOnlyThatItHappensSoTheTimeIsHalfAMinuteFromThen() throws Exception {
        NoticeSource google = source("google");
        assertThat(read(google, 200, "FALSE")).isNull();
        Instant before = Instant.now();
        Announcement first = Objects.requireNonNull(read(google, 200, "TRUE"));
        assertThat(first.at()).isBetween(before.plusSeconds(30), Instant.now().plusSeconds(30));
        assertThat(read(google, 200, "TRUE")).isEqualTo(first);
    }

    @Test
    void azureListsEventsOfWhichOnlyPreemptCounts() throws Exception {
        NoticeSource azure = source("azure");
        assertThat(read(azure, 200, "{\"DocumentIncarnation\":1,\"Events\":[]}")).isNull();
        String freeze = "{\"EventType\":\"Freeze\",\"NotBefore\":\"\"}";
        assertThat(read(azure, 200, "{\"Events\":[" + freeze + "]}")).isNull();
        String preempt =
                "{\"EventType\":\"Preempt\",\"NotBefore\":\"Mon, 19 Sep 2016 18:29:47 GMT\"}";
        assertThat(read(azure, 200, "{\"Events\":[" + freeze + "," + preempt + "]}"))
                .isEqualTo(new Announcement(Instant.parse("2016-09-19T18:29:47Z")));
    }

    @Test
    void garbageAndErrorsAreTold() {
        NoticeSource aws = source("aws");
        for (String garbage : List.of("", "[]", "{", "{\"time\":7}", "x".repeat(100_000))) {
            assertThatThrownBy(() -> read(aws, 200, garbage)).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> read(aws, 500, "{}"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("expected status 200");
    }

    @Test
    void aFileCountsFromItsOwnTime(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("notice");
        NoticeSource source = NoticeSource.of("file:" + file);
        assertThat(source.read()).isNull();
        Files.writeString(file, "120\n");
        Instant written = Instant.parse("2026-01-01T00:00:00Z");
        Files.setLastModifiedTime(file, FileTime.from(written));
        assertThat(source.read()).isEqualTo(new Announcement(written.plusSeconds(120)));
        Files.writeString(file, "");
        Files.setLastModifiedTime(file, FileTime.from(written));
        assertThat(source.read()).isEqualTo(new Announcement(written.plusSeconds(30)));
        Files.writeString(file, "soon");
        assertThatThrownBy(source::read).hasMessageContaining("found \"soon\"");
        for (String tooLong : List.of("99999999999999999", Long.toString(Long.MAX_VALUE))) {
            Files.writeString(file, tooLong);
            assertThatThrownBy(source::read)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("found \"" + tooLong + "\"");
        }
    }

    @Test
    void anUnknownProviderIsRefused() {
        for (String text : List.of("", "gcp", "file:", "aws=nowhere", "aws=")) {
            assertThatIllegalArgumentException().as(text).isThrownBy(() -> NoticeSource.of(text));
        }
    }

    @Test
    void whatIsLeftIsNeverNegativeAndADayAtMost() {
        assertThat(new Announcement(Instant.MAX).left(Instant.EPOCH)).isEqualTo(Duration.ofDays(1));
        var announcement = new Announcement(Instant.EPOCH.plusSeconds(10));
        assertThat(announcement.left(Instant.EPOCH)).isEqualTo(Duration.ofSeconds(10));
        assertThat(announcement.left(Instant.EPOCH.plusSeconds(11))).isEqualTo(Duration.ZERO);
    }
}
