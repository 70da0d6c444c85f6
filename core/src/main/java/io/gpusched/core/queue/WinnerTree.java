package io.gpusched.core.queue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/// Finds the smallest head among classes of waiting jobs.
///
/// A tree of matches over fixed positions: each class has a slot at the bottom, and each node above
/// holds the slot and the key of the better of its two children. When a head changes, only the
/// matches between its slot and the top are played again. Their positions are known beforehand, so
/// a change reads few values, none of which depends on another; a heap reads more, and each read
/// depends on the one before.
final class WinnerTree {
    private static final long EMPTY = Long.MAX_VALUE;

    /// How many slots there are, a power of two.
    private int slots;

    /// The smaller key of each match, the final at 1, the slots themselves from `slots` on.
    private long[] keys;

    /// The winning slot of each match, likewise.
    private int[] winners;

    /// Job numbers of heads by slot; [#EMPTY] for an empty slot.
    private long[] numbers;

    WinnerTree() {
        this.slots = 16;
        this.keys = filled(2 * slots);
        this.winners = new int[2 * slots];
        this.numbers = filled(slots);
        playAll();
    }

    /// The slot with the smallest head; -1 when all are empty.
    int first() {
        int winner = winners[1];
        return numbers[winner] == EMPTY ? -1 : winner;
    }

    /// The slots with the smallest heads in order, at most `most`. It takes time in proportion to
    /// `most` times the height of the tree.
    List<Integer> smallest(int most) {
        var open = new PriorityQueue<Integer>(this::compareMatches);
        open.add(1);
        var found = new ArrayList<Integer>(most);
        while (found.size() < most && !open.isEmpty()) {
            int at = open.remove();
            int winner = winners[at];
            if (numbers[winner] == EMPTY) {
                return found;
            }
            found.add(winner);
            // Every other slot below this match lost on the way of the winner.
            for (int on = slots + winner; on != at; on >>= 1) {
                open.add(on ^ 1);
            }
        }
        return found;
    }

    private int compareMatches(int one, int other) {
        int byKey = Long.compare(keys[one], keys[other]);
        return byKey != 0 ? byKey : Long.compare(numbers[winners[one]], numbers[winners[other]]);
    }

    /// Sets the head of the slot.
    void put(int slot, long key, long number) {
        if (slot >= slots) {
            grow(slot);
        }
        keys[slots + slot] = key;
        numbers[slot] = number;
        play(slot);
    }

    /// Empties the slot.
    void remove(int slot) {
        if (slot < slots && numbers[slot] != EMPTY) {
            keys[slots + slot] = EMPTY;
            numbers[slot] = EMPTY;
            play(slot);
        }
    }

    private void play(int slot) {
        int winner = slot;
        int at = slots + slot;
        long key = keys[at];
        while (at > 1) {
            long otherKey = keys[at ^ 1];
            int other = winners[at ^ 1];
            at >>= 1;
            if (otherKey == key) {
                winner = numbers[other] < numbers[winner] ? other : winner;
            } else {
                // The winner is unpredictable, also for the branch predictor: no branches here.
                winner ^= (winner ^ other) & onesWhereLess(otherKey, key);
                key = Math.min(key, otherKey);
            }
            if (winners[at] == winner && winner != slot) {
                // The same winner with the same head: nothing changes above.
                return;
            }
            keys[at] = key;
            winners[at] = winner;
        }
    }

    /// All bits set when `one` is less than `other`, otherwise none. The difference alone would be
    /// wrong where it overflows.
    private static int onesWhereLess(long one, long other) {
        long difference = one - other;
        return (int) ((difference ^ ((one ^ other) & (difference ^ one))) >> 63);
    }

    private void grow(int slot) {
        int before = slots;
        while (slots <= slot) {
            slots *= 2;
        }
        long[] larger = filled(2 * slots);
        System.arraycopy(keys, before, larger, slots, before);
        keys = larger;
        winners = new int[2 * slots];
        numbers = Arrays.copyOf(numbers, slots);
        Arrays.fill(numbers, before, slots, EMPTY);
        playAll();
    }

    private void playAll() {
        for (int slot = 0; slot < slots; slot++) {
            winners[slots + slot] = slot;
        }
        for (int at = slots - 1; at > 0; at--) {
            int left = 2 * at;
            int right = left + 1;
            boolean leftWins =
                    keys[left] == keys[right]
                            ? numbers[winners[left]] <= numbers[winners[right]]
                            : keys[left] < keys[right];
            int better = leftWins ? left : right;
            keys[at] = keys[better];
            winners[at] = winners[better];
        }
    }

    private static long[] filled(int length) {
        var all = new long[length];
        Arrays.fill(all, EMPTY);
        return all;
    }
}
