package io.gpusched.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

final class LoadDriverTest {
    private static final String CREATED =
            "HTTP/1.1 201 Created\r\nDate: today\r\nContent-Length: 16\r\n\r\n{\"job_id\":\"j-1\"}";
    private static final String FULL =
            "HTTP/1.1 429 Too Many Requests\r\ncontent-length: 4\r\nRetry-After: 1\r\n\r\nfull";

    @Test
    void everyRequestIsAnsweredAndCounted() throws Exception {
        try (var server = new StandIn(number -> CREATED, 4096)) {
            LoadCounts loadCounts = driver(server).send(1000);
            assertThat(loadCounts.acknowledged()).isEqualTo(1000);
            assertThat(loadCounts.refused()).isZero();
            assertThat(loadCounts.latencies().count()).isEqualTo(1000);
            assertThat(server.bodies()).isEqualTo(1000);
        }
    }

    @Test
    void answersThatComeInPiecesAreUnderstood() throws Exception {
        try (var server = new StandIn(number -> CREATED, 7)) {
            assertThat(driver(server).send(50).acknowledged()).isEqualTo(50);
        }
    }

    @Test
    void refusalsAreCountedApartAndTheFirstIsKept() throws Exception {
        try (var server = new StandIn(number -> number % 2 == 0 ? FULL : CREATED, 4096)) {
            LoadCounts loadCounts = driver(server).send(100);
            assertThat(loadCounts.acknowledged()).isEqualTo(50);
            assertThat(loadCounts.refused()).isEqualTo(50);
            assertThat(loadCounts.firstRefusal()).isEqualTo(FULL);
        }
    }

    @Test
    void onlyTheWindowCountsAndNothingIsLeftUnanswered() throws Exception {
        try (var server = new StandIn(number -> CREATED, 4096)) {
            LoadCounts loadCounts =
                    driver(server).drive(Duration.ofMillis(50), Duration.ofMillis(100));
            assertThat(loadCounts.window()).isEqualTo(Duration.ofMillis(100));
            assertThat(loadCounts.accepted()).isPositive().isLessThan(loadCounts.acknowledged());
            assertThat(loadCounts.acknowledged()).isEqualTo(server.bodies());
            assertThat(loadCounts.perSecond()).isEqualTo(loadCounts.accepted() * 10.0);
        }
    }

    @Test
    void anAnswerWithoutALengthIsNotGuessedAt() throws Exception {
        try (var server = new StandIn(number -> "HTTP/1.1 201 Created\r\n\r\n", 4096)) {
            assertThatThrownBy(() -> driver(server).send(1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Content-Length");
        }
    }

    @Test
    void requestsDifferAndAreWholeHttp() {
        List<byte[]> requests = JobRequests.make("127.0.0.1:1", 8, 1);
        assertThat(requests).doesNotHaveDuplicates();
        String first = new String(requests.getFirst(), StandardCharsets.UTF_8);
        assertThat(first).startsWith("POST /api/v1/jobs HTTP/1.1\r\nHost: 127.0.0.1:1\r\n");
        String body = first.substring(first.indexOf("\r\n\r\n") + 4);
        assertThat(first).contains("Content-Length: " + body.length() + "\r\n");
    }

    private static LoadDriver driver(StandIn server) {
        return new LoadDriver(server.address(), 4, JobRequests.make("localhost", 16, 1), 201);
    }
}
