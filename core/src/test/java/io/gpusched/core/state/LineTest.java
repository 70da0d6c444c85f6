package io.gpusched.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;

/// Lines and heaps against the JDK's own queue.
final class LineTest {
    private record Entry(long key, long number) {}

    private static final Comparator<Entry> ORDER =
            Comparator.comparingLong(Entry::key).thenComparingLong(Entry::number);

    @Test
    void aLineGivesBackTheSmallestFirstWhateverTheOrderOfArrival() {
        for (long seed = 1; seed <= 50; seed++) {
            var random = new Random(seed);
            var line = new Line();
            var expected = new PriorityQueue<>(ORDER);
            for (int step = 0; step < 2000; step++) {
                if (expected.isEmpty() || random.nextInt(5) < 3) {
                    long key = random.nextInt(4) > 0 ? step : random.nextInt(2000);
                    line.add(key, step);
                    expected.add(new Entry(key, step));
                } else {
                    Entry first = expected.remove();
                    assertThat(new Entry(line.firstKey(), line.firstNumber()))
                            .as("seed %s, step %s", seed, step)
                            .isEqualTo(first);
                    line.removeFirst();
                }
            }
        }
    }

    @Test
    void whoLeftIsForgottenAndTheOthersStayInOrder() {
        for (long seed = 1; seed <= 50; seed++) {
            var random = new Random(seed);
            var line = new Line();
            var expected = new PriorityQueue<>(ORDER);
            for (int number = 1; number <= 500; number++) {
                long key = random.nextInt(4) > 0 ? number : random.nextInt(500);
                line.add(key, number);
                if (random.nextInt(10) == 0) {
                    line.add(key, number);
                }
                if (number % 3 == 0) {
                    expected.add(new Entry(key, number));
                }
            }
            line.keepOnly(number -> number % 3 == 0);
            assertThat(line.size()).as("seed %s", seed).isEqualTo(expected.size());
            while (!expected.isEmpty()) {
                assertThat(new Entry(line.firstKey(), line.firstNumber()))
                        .as("seed %s", seed)
                        .isEqualTo(expected.remove());
                line.removeFirst();
            }
        }
    }

    @Test
    void aHeapGivesBackTheSmallestFirst() {
        for (long seed = 1; seed <= 50; seed++) {
            var random = new Random(seed);
            var heap = new KeyHeap();
            var expected = new PriorityQueue<>(ORDER);
            for (int step = 0; step < 2000; step++) {
                if (expected.isEmpty() || random.nextInt(5) < 3) {
                    long key = random.nextInt(100);
                    heap.add(key, step);
                    expected.add(new Entry(key, step));
                } else {
                    Entry first = expected.remove();
                    assertThat(new Entry(heap.firstKey(), heap.firstNumber()))
                            .as("seed %s, step %s", seed, step)
                            .isEqualTo(first);
                    heap.removeFirst();
                }
            }
            assertThat(heap.size()).as("seed %s", seed).isEqualTo(expected.size());
        }
    }
}
