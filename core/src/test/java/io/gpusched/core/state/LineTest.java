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
