package io.gpusched.core.nodes;

import java.util.Arrays;

/// A set of numbers, one bit each, with a second layer of bits that marks the non-empty words of
/// the first: finding the next member costs the same among a thousand numbers and a hundred
/// thousand.
final class HierarchicalBitSet {
    static final HierarchicalBitSet EMPTY = new HierarchicalBitSet();

    private long[] words = new long[0];
    private long[] summary = new long[0];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    void add(int place) {
        int word = place >> 6;
        if (word >= words.length) {
            words = Arrays.copyOf(words, Math.max(word + 1, words.length * 2));
            summary = Arrays.copyOf(summary, (words.length >> 6) + 1);
        }
        size += (words[word] & (1L << place)) == 0 ? 1 : 0;
        words[word] |= 1L << place;
        summary[word >> 6] |= 1L << word;
    }

    void remove(int place) {
        int word = place >> 6;
        size -= (words[word] & (1L << place)) == 0 ? 0 : 1;
        words[word] &= ~(1L << place);
        if (words[word] == 0) {
            summary[word >> 6] &= ~(1L << word);
        }
    }

    /// The first member at or after `from`; -1 when there is none.
    int next(int from) {
        int word = from >> 6;
        if (word >= words.length) {
            return -1;
        }
        long bits = words[word] & (-1L << from);
        if (bits != 0) {
            return (word << 6) + Long.numberOfTrailingZeros(bits);
        }
        int after = nextWord(word + 1);
        return after < 0 ? -1 : (after << 6) + Long.numberOfTrailingZeros(words[after]);
    }

    private int nextWord(int from) {
        int at = from >> 6;
        if (at >= summary.length) {
            return -1;
        }
        long bits = summary[at] & (-1L << from);
        while (bits == 0) {
            if (++at == summary.length) {
                return -1;
            }
            bits = summary[at];
        }
        return (at << 6) + Long.numberOfTrailingZeros(bits);
    }

    /// The first number at or after `from` that is in both; -1 when there is none.
    int next(HierarchicalBitSet other, int from) {
        int word = from >> 6;
        int most = Math.min(words.length, other.words.length);
        if (word >= most) {
            return -1;
        }
        long bits = words[word] & other.words[word] & (-1L << from);
        while (bits == 0) {
            word = nextWord(other, word + 1);
            if (word < 0) {
                return -1;
            }
            bits = words[word] & other.words[word];
        }
        return (word << 6) + Long.numberOfTrailingZeros(bits);
    }

    /// The next word in which both have members, though perhaps not the same.
    private int nextWord(HierarchicalBitSet other, int from) {
        int most = Math.min(summary.length, other.summary.length);
        int at = from >> 6;
        if (at >= most) {
            return -1;
        }
        long bits = summary[at] & other.summary[at] & (-1L << from);
        while (bits == 0) {
            if (++at == most) {
                return -1;
            }
            bits = summary[at] & other.summary[at];
        }
        return (at << 6) + Long.numberOfTrailingZeros(bits);
    }
}
