package io.gpusched.core.state;

import java.util.Arrays;

/// Finds the smallest head among classes of waiting jobs.
///
/// A tree of matches over fixed places: each class has a slot at the bottom, and each node above
/// holds the slot of the better of its two children. When a head changes, only the matches between
/// its slot and the top are played again. Where those are is known beforehand and nobody changes
/// place, so a change reads few things, none of which depends on another; a heap reads more and has
/// to follow what it finds.
final class Tournament {
    private static final long NOBODY = Long.MAX_VALUE;

    /// How many slots there are, a power of two.
    private int slots;

    /// Heads by slot; the number is [#NOBODY] where no class takes part.
    private long[] keys;

    private long[] numbers;

    /// The winning slot of each match, the final at 1, the slots themselves from `slots` on.
    private int[] winners;

    Tournament() {
        this.slots = 16;
        this.keys = filled(slots);
        this.numbers = filled(slots);
        this.winners = new int[2 * slots];
        playAll();
    }

    /// The slot with the smallest head; -1 when nobody takes part.
    int first() {
        int winner = winners[1];
        return numbers[winner] == NOBODY ? -1 : winner;
    }

    /// The slot takes part with this head, whether it did before or not.
    void put(int slot, long key, long number) {
        if (slot >= slots) {
            grow(slot);
        }
        keys[slot] = key;
        numbers[slot] = number;
        play(slot);
    }

    /// The slot takes part no more, if it did.
    void remove(int slot) {
        if (slot < slots && numbers[slot] != NOBODY) {
            keys[slot] = NOBODY;
            numbers[slot] = NOBODY;
            play(slot);
        }
    }

    private void play(int slot) {
        int winner = slot;
        long key = keys[slot];
        int at = slot + slots;
        while (at > 1) {
            int other = winners[at ^ 1];
            long otherKey = keys[other];
            boolean loses = otherKey == key ? numbers[other] < numbers[winner] : otherKey < key;
            winner = loses ? other : winner;
            key = loses ? otherKey : key;
            at >>= 1;
            if (winners[at] == winner && winner != slot) {
                // The same as before, with the same head: nothing changes above.
                return;
            }
            winners[at] = winner;
        }
    }

    private void grow(int slot) {
        int before = slots;
        while (slots <= slot) {
            slots *= 2;
        }
        keys = Arrays.copyOf(keys, slots);
        numbers = Arrays.copyOf(numbers, slots);
        Arrays.fill(keys, before, slots, NOBODY);
        Arrays.fill(numbers, before, slots, NOBODY);
        winners = new int[2 * slots];
        playAll();
    }

    private void playAll() {
        for (int slot = 0; slot < slots; slot++) {
            winners[slots + slot] = slot;
        }
        for (int at = slots - 1; at > 0; at--) {
            int left = winners[2 * at];
            int right = winners[2 * at + 1];
            boolean leftWins =
                    keys[left] == keys[right]
                            ? numbers[left] <= numbers[right]
                            : keys[left] < keys[right];
            winners[at] = leftWins ? left : right;
        }
    }

    private static long[] filled(int length) {
        var all = new long[length];
        Arrays.fill(all, NOBODY);
        return all;
    }
}
