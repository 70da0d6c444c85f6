package io.gpusched.lab.swf;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// Numbers as the published experiment drew them: the Mersenne twister MT19937 (Matsumoto and
/// Nishimura, 1998), seeded with the first eight bytes of the SHA-512 of the seed's digits, and
/// whole numbers below a bound by masking and drawing again.
final class Mersenne {
    private static final int SIZE = 624;
    private static final int SHIFT = 397;

    private final int[] state = new int[SIZE];
    private int at = SIZE;

    private Mersenne(int[] key) {
        seed(19_650_218);
        int i = 1;
        int j = 0;
        for (int k = 0; k < Math.max(SIZE, key.length); k++) {
            state[i] = (state[i] ^ (mixed(state[i - 1]) * 1_664_525)) + key[j] + j;
            i = next(i);
            j = (j + 1) % key.length;
        }
        for (int k = 0; k < SIZE - 1; k++) {
            state[i] = (state[i] ^ (mixed(state[i - 1]) * 1_566_083_941)) - i;
            i = next(i);
        }
        state[0] = 0x8000_0000;
    }

    /// The stream that belongs to a seed.
    static Mersenne ofSeed(long seed) {
        byte[] hash = sha512(Long.toString(seed));
        int low = 0;
        int high = 0;
        for (int i = 3; i >= 0; i--) {
            low = low << 8 | (hash[i] & 0xFF);
            high = high << 8 | (hash[i + 4] & 0xFF);
        }
        return new Mersenne(high == 0 ? new int[] {low} : new int[] {low, high});
    }

    private static byte[] sha512(String text) {
        try {
            return MessageDigest.getInstance("SHA-512")
                    .digest(text.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java knows SHA-512", e);
        }
    }

    private void seed(int value) {
        state[0] = value;
        for (int i = 1; i < SIZE; i++) {
            state[i] = 1_812_433_253 * mixed(state[i - 1]) + i;
        }
    }

    private static int mixed(int value) {
        return value ^ (value >>> 30);
    }

    private int next(int i) {
        if (i + 1 < SIZE) {
            return i + 1;
        }
        state[0] = state[SIZE - 1];
        return 1;
    }

    /// The next 32 bits.
    int bits() {
        if (at == SIZE) {
            twist();
        }
        int y = state[at++];
        y ^= y >>> 11;
        y ^= (y << 7) & 0x9D2C_5680;
        y ^= (y << 15) & 0xEFC6_0000;
        return y ^ (y >>> 18);
    }

    private void twist() {
        for (int i = 0; i < SIZE; i++) {
            int y = (state[i] & 0x8000_0000) | (state[(i + 1) % SIZE] & 0x7FFF_FFFF);
            int odd = (y & 1) == 0 ? 0 : 0x9908_B0DF;
            state[i] = state[(i + SHIFT) % SIZE] ^ (y >>> 1) ^ odd;
        }
        at = 0;
    }

    /// A whole number from `low` to below `high`.
    int between(int low, int high) {
        int range = high - 1 - low;
        if (range <= 0) {
            return low;
        }
        int mask = -1 >>> Integer.numberOfLeadingZeros(range);
        int drawn = bits() & mask;
        while (drawn > range) {
            drawn = bits() & mask;
        }
        return low + drawn;
    }
}
