package io.gpusched.core.drive;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Instant;

final class EventQueueTest {
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    @Test
    void eventsComeByTimeAndWithinAnInstantAsTheyWerePlanned() {
        var queue = new EventQueue<String>();
        queue.plan(START.plusSeconds(2), "last");
        queue.plan(START.plusSeconds(1), "first");
        queue.plan(START.plusSeconds(1), "second");

        assertThat(queue.next()).isEqualTo(START.plusSeconds(1));
        assertThat(queue.poll(START)).as("nothing is due yet").isNull();
        assertThat(queue.peek()).isEqualTo("first");
        assertThat(queue.poll(START.plusSeconds(1))).isEqualTo("first");
        assertThat(queue.poll(START.plusSeconds(1))).isEqualTo("second");
        assertThat(queue.poll(START.plusSeconds(1))).isNull();
        assertThat(queue.poll(START.plusSeconds(9))).as("overdue").isEqualTo("last");
        assertThat(queue.next()).isNull();
    }

    @Test
    void whatIsPlannedForAfterTheHorizonDoesNotHappen() {
        var queue = new EventQueue<String>(START.plusSeconds(10));
        queue.plan(START.plusSeconds(10), "just in time");
        assertThat(queue.isCut()).isFalse();
        queue.plan(START.plusSeconds(11), "too late");
        assertThat(queue.isCut()).isTrue();
        assertThat(queue.poll(START.plusSeconds(20))).isEqualTo("just in time");
        assertThat(queue.poll(START.plusSeconds(20))).isNull();
    }
}
