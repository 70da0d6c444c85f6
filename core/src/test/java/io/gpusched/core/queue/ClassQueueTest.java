package io.gpusched.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/// Compares random arrivals and departures with sets that are always sorted.
final class ClassQueueTest {
    private record Entry(long key, long number) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byKey = Long.compare(key, other.key);
            return byKey != 0 ? byKey : Long.compare(number, other.number);
        }
    }

    @Test
    void theFirstIsAlwaysTheSmallest() {
        for (long seed = 1; seed <= 200; seed++) {
            var chance = new Random(seed);
            var queueLinks = new QueueLinks();
            List<ClassQueue> lines = new ArrayList<>();
            List<NavigableSet<Entry>> models = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                lines.add(new ClassQueue(queueLinks));
                models.add(new TreeSet<>());
            }
            for (int step = 0; step < 1000; step++) {
                int which = chance.nextInt(3);
                // From time to time a job has a second entry, here or in another queue.
                long number = chance.nextInt(10) == 0 ? 1 + chance.nextInt(step + 1) : step + 1;
                long spread = 1 + seed % 4 * 500; // one after the other, or each on its own page
                act(chance, lines.get(which), models.get(which), number * spread);
                compare(lines.get(which), models.get(which), seed, step);
            }
            lines.forEach(ClassQueue::clear);
            assertThat(queueLinks.pages()).as("seed %s", seed).isZero();
        }
    }

    @Test
    void distantNumbersAreInOneQueue() {
        var classQueue = new ClassQueue(new QueueLinks());
        long far = 3L << 31;
        classQueue.add(10, 1);
        classQueue.add(20, far);
        classQueue.add(30, 2);
        for (long number : new long[] {1, far, 2}) {
            assertThat(classQueue.firstNumber()).isEqualTo(number);
            classQueue.removeFirst();
        }
        assertThat(classQueue.entries()).isZero();
    }

    private static void compare(
            ClassQueue classQueue, NavigableSet<Entry> model, long seed, int step) {
        assertThat(classQueue.entries()).as("seed %s step %s", seed, step).isEqualTo(model.size());
        if (!model.isEmpty()) {
            var first = new Entry(classQueue.firstKey(), classQueue.firstNumber());
            assertThat(first).as("seed %s step %s", seed, step).isEqualTo(model.first());
        }
        var visited = new TreeSet<Entry>();
        classQueue.forEach((key, number) -> visited.add(new Entry(key, number)));
        assertThat(visited).as("seed %s step %s", seed, step).isEqualTo(model);
    }

    private static void act(
            Random chance, ClassQueue classQueue, NavigableSet<Entry> model, long number) {
        int dice = chance.nextInt(100);
        if (dice < 55) {
            long key = chance.nextInt(8) == 0 ? chance.nextInt(1000) : number * 3;
            if (model.add(new Entry(key, number))) {
                classQueue.add(key, number);
            }
        } else if (dice < 97 && !model.isEmpty()) {
            classQueue.removeFirst();
            model.pollFirst();
        } else if (dice == 98) {
            Set<Long> kept = new HashSet<>();
            model.forEach(entry -> kept.add(entry.number));
            kept.removeIf(one -> chance.nextBoolean());
            classQueue.keepOnly((of, one) -> kept.contains(one));
            model.removeIf(entry -> !kept.contains(entry.number));
        } else if (dice == 99) {
            classQueue.clear();
            model.clear();
        }
    }
}
