package io.gpusched.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EventIdTest {
    @Test
    void anIdIsReadAsItIsWritten() {
        for (EventId id :
                new EventId[] {
                    new EventId(0, 0),
                    new EventId(512, 3),
                    new EventId(Long.MAX_VALUE, Integer.MAX_VALUE)
                }) {
            assertThat(EventId.parse(id.toString())).isEqualTo(id);
        }
        assertThat(new EventId(9, 1)).isLessThan(new EventId(10, 0));
        assertThat(new EventId(9, 1)).isLessThan(new EventId(9, 2));
        assertThat(EventId.endOf(9)).isGreaterThan(new EventId(9, 1_000_000_000));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "-", "5", "5-", "-5", "5-x", "x-5", "5-1-2", "+5-1", "5--1", " 5-1", "٥-1"
            })
    void somethingElseIsNoId(String text) {
        assertThat(EventId.parse(text)).isNull();
    }

    @Test
    void aNumberThatIsTooLargeIsNoId() {
        assertThat(EventId.parse("9223372036854775808-0")).isNull();
        assertThat(EventId.parse("1-2147483648")).isNull();
    }
}
