package io.gpusched.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

final class EventRingTest {
    private static final long PLENTY = Long.MAX_VALUE / 2;

    @Test
    void itKeepsTheNewestEventsLikeANaiveListWouldDo() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        var random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            int most = 1 << random.nextInt(6);
            long mostBytes = random.nextBoolean() ? PLENTY : 2000 + random.nextInt(20_000);
            var start = EventId.endOf(random.nextInt(5));
            var ring = new EventRing(most, mostBytes, start);
            var naive = new ArrayList<LiveEvent>();
            var all = new ArrayList<LiveEvent>();
            long batch = start.batch();
            for (int step = 0; step < 60; step++) {
                batch += 1 + random.nextInt(2);
                int events = random.nextInt(4);
                for (int i = 0; i < events; i++) {
                    LiveEvent event =
                            event(new EventId(batch, 2 * i), "x".repeat(random.nextInt(500)));
                    ring.add(event);
                    naive.add(event);
                    all.add(event);
                    while (naive.size() > most || (bytes(naive) > mostBytes && naive.size() > 1)) {
                        naive.removeFirst();
                    }
                }
                ring.publish(batch);
                assertThat(ring.size()).isEqualTo(naive.size());
                assertThat(ring.newest().batch()).isEqualTo(batch);
                checkEveryPlace(ring, naive, all, start, batch);
            }
        }
    }

    private static void checkEveryPlace(
            EventRing ring, List<LiveEvent> kept, List<LiveEvent> all, EventId start, long batch) {
        for (long of = start.batch(); of <= batch; of++) {
            for (int index = 0; index < 8; index++) {
                var id = new EventId(of, index);
                List<LiveEvent> later = all.stream().filter(e -> e.id().isAfter(id)).toList();
                boolean isHere = kept.containsAll(later) && !start.isAfter(id);
                long number = ring.after(id);
                assertThat(number >= 0).as("after %s", id).isEqualTo(isHere);
                if (isHere) {
                    assertThat(from(ring, number)).isEqualTo(later);
                }
            }
        }
    }

    @Test
    void readersWithoutALockSeeEveryEventOnceOrLearnThatTheyAreTooLate() throws Exception {
        var ring = new EventRing(64, PLENTY, EventId.endOf(0));
        var ended = new AtomicBoolean();
        var failures = new ArrayList<String>();
        var readers = new ArrayList<Thread>();
        for (int i = 0; i < 4; i++) {
            readers.add(Thread.ofPlatform().start(() -> read(ring, ended, failures)));
        }
        for (int batch = 1; batch <= 50_000; batch++) {
            ring.add(event(new EventId(batch, 0), ""));
            ring.publish(batch);
        }
        ended.set(true);
        for (Thread reader : readers) {
            reader.join();
        }
        assertThat(failures).isEmpty();
    }

    private static void read(EventRing ring, AtomicBoolean ended, List<String> failures) {
        long position = 0;
        long last = 0;
        while (!ended.get() || position < ring.end()) {
            LiveEvent event = ring.get(position);
            if (event != null) {
                if (event.id().batch() != position + 1 || event.id().batch() <= last) {
                    synchronized (failures) {
                        failures.add(event.id() + " at " + position);
                    }
                }
                last = event.id().batch();
                position++;
            } else if (position < ring.end()) {
                position = ring.after(ring.newest());
            }
        }
    }

    @Test
    void eventsAreSeenOnceTheyArePublished() {
        var ring = new EventRing(8, PLENTY, EventId.endOf(4));
        assertThat(ring.newest()).isEqualTo(EventId.endOf(4));
        ring.add(event(new EventId(5, 1), ""));
        assertThat(ring.end()).isZero();
        assertThat(ring.get(0)).isNull();
        ring.publish(5);
        assertThat(ring.get(0)).isNotNull();
        assertThat(ring.newest()).isEqualTo(new EventId(5, 1));
        ring.publish(7);
        assertThat(ring.newest()).isEqualTo(new EventId(7, 0));
    }

    private static List<LiveEvent> from(EventRing ring, long number) {
        var events = new ArrayList<LiveEvent>();
        for (long i = number; i < ring.end(); i++) {
            LiveEvent event = ring.get(i);
            if (event != null) {
                events.add(event);
            }
        }
        return events;
    }

    private static long bytes(List<LiveEvent> events) {
        return events.stream().mapToLong(LiveEvent::bytes).sum();
    }

    private static LiveEvent event(EventId id, String text) {
        return new LiveEvent(
                id,
                Instant.EPOCH,
                EventKind.STARTED,
                LiveEvent.About.everyone(),
                LiveEvent.Wording.of(text));
    }
}
