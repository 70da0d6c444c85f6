package io.gpusched.gateway.binding;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIOException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// What servers announce is refused when its line ends, however the bytes are cut.
final class AnswerGuardTest {
    private static final String REDIS_LINES =
            ":1\r\n+OK\r\n$5\r\n*9\r\n5\r\n$-1\r\n*2\r\n$0\r\n\r\n:3\r\n%1\r\n:1\r\n:2\r\n*-1\r\n";

    private static final String NATS_LINES =
            "INFO {\"a\": 1}\r\nPING\r\n+OK\r\nMSG a 1 6\r\nMSG 9\r\r\nHMSG a 1 in 2 3\r\nabc\r\n";

    private interface Guard {
        void next(byte[] bytes, int from, int to) throws IOException;
    }

    private static Guard redis() {
        return new RedisGuard(new AnswerBudget())::next;
    }

    private static Guard nats() {
        return new NatsGuard(new AnswerBudget())::next;
    }

    private static void feed(Guard guard, String text, int piece) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < bytes.length; at += piece) {
            guard.next(bytes, at, Math.min(bytes.length, at + piece));
        }
    }

    @Test
    void usualAnswersPassHoweverTheyAreCut() {
        for (int piece = 1; piece < 20; piece++) {
            int cut = piece;
            assertThatCode(() -> feed(redis(), REDIS_LINES, cut)).doesNotThrowAnyException();
            assertThatCode(() -> feed(nats(), NATS_LINES, cut)).doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$16777217\r\n",
                "$2147483647\r\n",
                "=99999999999999999\r\n",
                "!999999999999999999999999\r\n",
                "*50001\r\n",
                "*2147483647\r\n",
                ">99999999999999999\r\n",
                "$many\r\n",
                "*\r\n",
            })
    void aLongAnswerOfRedisIsRefused(String line) {
        assertThatIOException().isThrownBy(() -> feed(redis(), ":1\r\n" + line, 3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MSG a 1 16777217\r\n",
                "msg a 1 2147483647\r\n",
                "HMSG a 1 12 2147483647\r\n",
                "HMSG a 1 2147483647 12\r\n",
                "MSG a 1 9999999999999999999999\r\n",
                "MSG\r\n",
            })
    void aLongAnswerOfNatsIsRefused(String line) {
        assertThatIOException().isThrownBy(() -> feed(nats(), "PING\r\n" + line, 3));
    }

    @Test
    void aLineWithoutEndIsRefused() {
        String line = "+" + "x".repeat(17 << 20);
        assertThatIOException().isThrownBy(() -> feed(redis(), line, 8_192));
        assertThatIOException().isThrownBy(() -> feed(nats(), line, 8_192));
    }

    @Test
    void partsOfOneAnswerAddUpAndARequestBeginsAnew() throws IOException {
        var budget = new AnswerBudget();
        var guard = new RedisGuard(budget);
        byte[] list = "*20000\r\n".getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 2; i++) {
            guard.next(list, 0, list.length);
        }
        budget.renew();
        for (int i = 0; i < 2; i++) {
            guard.next(list, 0, list.length);
        }
        assertThatIOException().isThrownBy(() -> guard.next(list, 0, list.length));
    }
}
