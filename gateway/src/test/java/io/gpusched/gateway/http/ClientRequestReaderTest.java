package io.gpusched.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

final class ClientRequestReaderTest {
    private static final String CHUNKED =
            """
            POST /v1/x?a=b HTTP/1.1\r
            Host: h\r
            Transfer-Encoding: chunked\r
            \r
            5;ext=1\r
            hello\r
            6\r
             world\r
            0\r
            Trailer: t\r
            \r
            """;

    @Test
    void everyCutOfTheBytesGivesTheSameRequests() throws BadHttp {
        String two =
                CHUNKED + "\r\nGET /v1/models HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
        for (int cut = 1; cut < two.length(); cut++) {
            List<ClientRequest> found = read(1_000, two.substring(0, cut), two.substring(cut));
            assertThat(found).hasSize(2);
            assertThat(new String(found.get(0).body(), StandardCharsets.UTF_8))
                    .isEqualTo("hello world");
            assertThat(found.get(0).path()).isEqualTo("/v1/x");
            assertThat(found.get(0).keepAlive()).isTrue();
            assertThat(found.get(1).method()).isEqualTo("GET");
            assertThat(found.get(1).keepAlive()).isFalse();
        }
    }

    private static List<ClientRequest> read(int most, String... pieces) throws BadHttp {
        var reader = new ClientRequestReader(most);
        var in = new ByteQueue();
        var found = new ArrayList<ClientRequest>();
        @Nullable ClientRequest head = null;
        for (String piece : pieces) {
            byte[] bytes = piece.getBytes(StandardCharsets.ISO_8859_1);
            in.append(bytes, 0, bytes.length);
            while (!in.isEmpty()) {
                head = head == null ? reader.head(in) : head;
                ClientRequest whole = head == null ? null : reader.body(head, in);
                if (whole == null) {
                    break;
                }
                found.add(whole);
                head = null;
            }
        }
        return found;
    }

    @ParameterizedTest
    @CsvSource({
        "400, GET  / HTTP/1.1|Host: h",
        "400, GET http://other/ HTTP/1.1|Host: h",
        "505, GET / HTTP/1.0|Host: h",
        "405, TRACE / HTTP/1.1|Host: h",
        "400, GET / HTTP/1.1|X: y",
        "400, GET / HTTP/1.1|Host: h|Host: i",
        "400, GET / HTTP/1.1|Host : h",
        "400, GET / HTTP/1.1|Host: h| folded",
        "400, POST / HTTP/1.1|Host: h|Content-Length: 1|Transfer-Encoding: chunked",
        "400, POST / HTTP/1.1|Host: h|Content-Length: 1|Content-Length: 1",
        "400, POST / HTTP/1.1|Host: h|Content-Length: -1",
        "400, POST / HTTP/1.1|Host: h|Content-Length: 0x1",
        "501, POST / HTTP/1.1|Host: h|Transfer-Encoding: gzip",
        "413, POST / HTTP/1.1|Host: h|Content-Length: 1001"
    })
    void strangeHeadsAreRefused(int status, String lines) {
        String head = lines.replace("|", "\r\n") + "\r\n\r\n";
        assertThat(refused(1_000, head)).isEqualTo(status);
    }

    private static int refused(int most, String text) {
        BadHttp bad = catchThrowableOfType(BadHttp.class, () -> read(most, text));
        assertThat(bad).as(text).isNotNull();
        return bad.status();
    }

    @Test
    void boundsHoldForEveryPart() {
        String head = "GET / HTTP/1.1\r\nHost: h\r\n";
        assertThat(refused(9, head + "X: " + "a".repeat(40_000))).isEqualTo(431);
        assertThat(refused(9, head + "X: y\r\n".repeat(200) + "\r\n")).isEqualTo(431);
        assertThat(refused(10, CHUNKED)).isEqualTo(413);
        String chunked = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
        assertThat(refused(9, chunked + "zz\r\n")).isEqualTo(400);
        assertThat(refused(9, chunked + "ffffffffff\r\n")).isEqualTo(413);
        assertThat(refused(9, chunked + "1\r\nab\r\n")).isEqualTo(400);
        assertThat(refused(9, chunked + "1;" + "x".repeat(10_000))).isEqualTo(400);
        assertThat(refused(9, chunked + "0\r\n" + "x: y\r\n".repeat(10_000))).isEqualTo(400);
    }

    /// Two readers that disagree about the end of a line disagree about where a request ends.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2|ab\r\n0\r\n\r\n",
                "2\nab\r\n0\r\n\r\n",
                "2\r\nab\n0\r\n\r\n",
                "2\r\nab\r0\r\n\r\n",
                "2\r\nab\r\r\n0\r\n\r\n",
                "2\rx\nab\r\n0\r\n\r\n",
                "2;x\nab\r\n0\r\n\r\n",
                "2;x\ry\r\nab\r\n0\r\n\r\n",
                "2;x\u0000\r\nab\r\n0\r\n\r\n",
                "2 3\r\nab\r\n0\r\n\r\n",
                "\r\nab\r\n0\r\n\r\n",
                "2\r\nab\r\n0\n\r\n",
                "2\r\nab\r\n0\r\n\n",
                "2\r\nab\r\n0\r\nx: y\n\r\n",
                "2\r\nab\r\n0\r\nx: y\r\r\n\r\n"
            })
    void framingThatCouldBeReadOtherwiseIsRefused(String body) {
        String head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
        assertThat(refused(100, head + body)).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2\r\nab\r\n0\r\n\r\n",
                "02 \r\nab\r\n0\t;x=\"y\"\r\n\r\n",
                "2;a=b;c\r\nab\r\n0;d\r\nx: y\r\nz: \u00ff\r\n\r\n"
            })
    void framingWithExtensionsAndTrailersIsRead(String body) throws BadHttp {
        String head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
        ClientRequest only = read(100, head + body).getFirst();
        assertThat(new String(only.body(), StandardCharsets.UTF_8)).isEqualTo("ab");
    }
}
