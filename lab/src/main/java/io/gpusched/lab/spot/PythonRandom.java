package io.gpusched.lab.spot;

import java.util.List;

/// The generator of CPython's module `random` (MT19937) with its ways to shuffle and to choose, so
/// that runs of programs in Python can be repeated.
final class PythonRandom {
    private static final int N = 624;
    private static final int M = 397;

    private final int[] words = new int[N];
    private int at = N;

    PythonRandom(int seed) {
        words[0] = 19_650_218;
        for (int i = 1; i < N; i++) {
            words[i] = 1_812_433_253 * (words[i - 1] ^ (words[i - 1] >>> 30)) + i;
        }
        int i = 1;
        for (int k = 0; k < N; k++) {
            words[i] = (words[i] ^ (mixed(i) * 1_664_525)) + seed;
            i = next(i);
        }
        for (int k = 0; k < N - 1; k++) {
            words[i] = (words[i] ^ (mixed(i) * 1_566_083_941)) - i;
            i = next(i);
        }
        words[0] = 0x80000000;
    }

    private int mixed(int i) {
        return words[i - 1] ^ (words[i - 1] >>> 30);
    }

    private int next(int i) {
        if (i + 1 < N) {
            return i + 1;
        }
        words[0] = words[N - 1];
        return 1;
    }

    private int word() {
        if (at == N) {
            for (int i = 0; i < N; i++) {
                int y = (words[i] & 0x80000000) | (words[(i + 1) % N] & 0x7fffffff);
                words[i] = words[(i + M) % N] ^ (y >>> 1) ^ ((y & 1) == 0 ? 0 : 0x9908b0df);
            }
            at = 0;
        }
        int y = words[at++];
        y ^= y >>> 11;
        y ^= (y << 7) & 0x9d2c5680;
        y ^= (y << 15) & 0xefc60000;
        return y ^ (y >>> 18);
    }

    /// A number from 0 to `n` - 1.
    int below(int n) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(n);
        int drawn = word() >>> (Integer.SIZE - bits);
        while (drawn >= n) {
            drawn = word() >>> (Integer.SIZE - bits);
        }
        return drawn;
    }

    <T> T choice(List<T> of) {
        return of.get(below(of.size()));
    }

    <T> void shuffle(List<T> list) {
        for (int i = list.size() - 1; i > 0; i--) {
            int other = below(i + 1);
            T each = list.get(i);
            list.set(i, list.get(other));
            list.set(other, each);
        }
    }
}
