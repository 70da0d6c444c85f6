package io.gpusched.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// Compares the winner tree with a linear search.
final class WinnerTreeTest {
    private record Head(long key, long number) {}

    private static final Comparator<Head> ORDER =
            Comparator.comparingLong(Head::key).thenComparingLong(Head::number);

    @Test
    void anEmptyTreeHasNoWinner() {
        var winnerTree = new WinnerTree();
        assertThat(winnerTree.first()).isEqualTo(-1);
        winnerTree.put(500, Long.MAX_VALUE, 7);
        assertThat(winnerTree.first()).isEqualTo(500);
        winnerTree.remove(500);
        winnerTree.remove(100_000);
        assertThat(winnerTree.first()).isEqualTo(-1);
    }

    /// Keys whose differences are too large for a long.
    private static final long[] EXTREMES = {
        Long.MIN_VALUE, Long.MIN_VALUE + 1, -2, -1, 0, Long.MAX_VALUE - 1, Long.MAX_VALUE
    };

    @Test
    void theSmallestHeadWinsWhateverChanged() {
        for (long seed = 1; seed <= 60; seed++) {
            var random = new Random(seed);
            int slots = 1 + random.nextInt(100);
            int keys = new int[] {0, 5, 1000}[(int) (seed % 3)];
            var winnerTree = new WinnerTree();
            var all = new TreeMap<Integer, Head>();
            for (int step = 1; step < 2000; step++) {
                int slot = random.nextInt(slots);
                if (random.nextInt(3) == 0) {
                    all.remove(slot);
                    winnerTree.remove(slot);
                } else {
                    long key = keys == 0 ? EXTREMES[random.nextInt(7)] : random.nextInt(keys);
                    var head = new Head(key, step);
                    all.put(slot, head);
                    winnerTree.put(slot, head.key(), head.number());
                }
                assertThat(winnerTree.first())
                        .as("seed %s, step %s", seed, step)
                        .isEqualTo(smallest(all));
                if (step % 50 == 0) {
                    int most = random.nextInt(slots + 2);
                    assertThat(winnerTree.smallest(most))
                            .as("seed %s, step %s", seed, step)
                            .isEqualTo(smallest(all, most));
                }
            }
        }
    }

    private static List<Integer> smallest(Map<Integer, Head> all, int most) {
        return all.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(ORDER))
                .limit(most)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static int smallest(Map<Integer, Head> all) {
        return all.entrySet().stream()
                .min(Map.Entry.comparingByValue(ORDER))
                .map(Map.Entry::getKey)
                .orElse(-1);
    }
}
