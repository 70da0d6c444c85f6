package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;

/// The rest of one request is never read as another request.
@Timeout(120)
@SuppressWarnings("NullAway.Init")
final class DesyncTest {
    private static final String SMUGGLED =
            "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}";

    @TempDir Path dataDir;

    private Running rest;

    @BeforeEach
    void start() {
        rest = Running.in(dataDir);
    }

    @AfterEach
    void stop() {
        rest.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 2\r\nContent-Length: 3",
                "Content-Length: 2\r\nContent-Length: 2",
                "Content-Length: 2, 2",
                "Content-Length: +2",
                "Content-Length: -2",
                "Content-Length: 0x2",
                "Content-Length: 2\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked, identity",
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding: identity",
                "Content-Length : 2",
                "Content-Length: 2\nContent-Length: 3"
            })
    void aLengthThatIsNotCertainIsRefusedAndTheConnectionCloses(String headers) {
        String answer = send(headers, "{}");

        assertThat(Raw.status(answer)).as(answer).isEqualTo(400);
        assertThat(answers(answer)).as(answer).isOne();
        assertThat(jobs()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zz\r\n{}\r\n0\r\n\r\n",
                "-2\r\n{}\r\n0\r\n\r\n",
                "2\r\n{}\r\n0\r\nx\r\n\r\n"
            })
    void nothingIsReadAfterChunksThatAreWrong(String body) {
        String answer = send("Transfer-Encoding: chunked", body);

        assertThat(Raw.status(answer)).as(answer).isEqualTo(400);
        assertThat(answers(answer)).as(answer).isOne();
        assertThat(jobs()).isZero();
    }

    @Test
    void aRequestInChunksIsTheLastOfItsConnection() {
        String answer = send("Transfer-Encoding: chunked", "2\r\n{}XX0\r\n\r\n");

        assertThat(answers(answer)).as(answer).isOne();
        assertThat(answer).containsIgnoringCase("connection: close");
        assertThat(jobs()).isOne();
    }

    @Test
    void anUnreadBodyIsNotTheNextRequest() {
        for (String expect : new String[] {"Expect: 100-continue\r\n", ""}) {
            String answer =
                    Raw.send(
                            rest.server(),
                            "POST /api/v1/nothing HTTP/1.1\r\nHost: localhost\r\n"
                                    + expect
                                    + "Content-Length: "
                                    + SMUGGLED.length()
                                    + "\r\n\r\n"
                                    + SMUGGLED
                                    + SMUGGLED);
            assertThat(Raw.status(answer)).as(answer).isEqualTo(404);
            assertThat(answers(answer)).as(answer).isOne();
        }
        assertThat(jobs()).isZero();
    }

    @Test
    void certainRequestsShareAConnection() {
        String answer = Raw.send(rest.server(), SMUGGLED + SMUGGLED + SMUGGLED);

        assertThat(answers(answer)).as(answer).isEqualTo(3);
        assertThat(jobs()).isEqualTo(3);
    }

    private String send(String headers, String body) {
        return Raw.send(
                rest.server(),
                "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\n"
                        + headers
                        + "\r\n\r\n"
                        + body
                        + SMUGGLED);
    }

    private static int answers(String answer) {
        return answer.split("HTTP/1.1 ", -1).length - 1;
    }

    private int jobs() {
        return rest.get("/api/v1/jobs?limit=0").json().get("total").asInt();
    }
}
