package io.gpusched.gateway.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.gateway.binding.ConnectionAddress.Host;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.Random;

final class ConnectionAddressTest {
    @Test
    void aConnectionStringHasParts() throws Exception {
        assertThat(ConnectionAddress.parse("Kafka://u%40x:p%3A+q@a:1,[::1]:2,c/v%2Fh?m=S&n=%20"))
                .isEqualTo(
                        new ConnectionAddress(
                                "kafka",
                                "u@x",
                                "p:+q",
                                List.of(new Host("a", 1), new Host("::1", 2), new Host("c", 0)),
                                "v/h",
                                Map.of("m", "S", "n", " ")));
        assertThat(ConnectionAddress.parse("redis://token@h").user()).isEqualTo("token");
        assertThat(ConnectionAddress.parse("redis://[::1]").host().text()).isEqualTo("[::1]");
        assertThat(ConnectionAddress.parse("redis://u:canary@h")).hasToString("redis://***");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "canary",
                "://canary",
                "redis://",
                "redis://h:0",
                "redis://h:65536",
                "redis://h:canary",
                "redis://:can/ary@h",
                "redis://a b",
                "redis://a,,b",
                "redis://::1",
                "redis://:%zz@h",
                "redis://h?canary",
                "redis://h\u00e4",
            })
    void whatIsMalformedIsNamedWithoutItsText(String text) {
        assertThatThrownBy(() -> ConnectionAddress.parse(text))
                .isInstanceOf(LagProblem.class)
                .hasNoCause()
                .hasMessageStartingWith("the connection is malformed: expected")
                .hasMessageNotContaining("canary");
    }

    @Test
    void anyTextIsParsedOrAProblem() {
        var random = new Random(3);
        for (int round = 0; round < 5000; round++) {
            var text = new StringBuilder("redis://");
            int length = random.nextInt(20);
            for (int i = 0; i < length; i++) {
                text.append("ab:@/?&=%,[]4 +\\".charAt(random.nextInt(16)));
            }
            try {
                assertThat(ConnectionAddress.parse(text.toString()).hosts()).isNotEmpty();
            } catch (LagProblem e) {
                assertThat(e).as("%s, seed 3", text).hasMessageContaining("malformed");
            }
        }
    }
}
