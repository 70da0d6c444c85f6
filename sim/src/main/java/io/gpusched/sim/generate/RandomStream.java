package io.gpusched.sim.generate;

import io.gpusched.core.model.Check;

/// The random numbers of numpy's old interface (`numpy.random.seed` and what follows), bit for bit.
///
/// The generator is the Mersenne Twister of Matsumoto and Nishimura (1998) with 624 words of state,
/// seeded by one word. Doubles take the upper 27 and 26 bits of two draws; whole numbers are drawn
/// by masking and rejection; normal numbers come in pairs from Marsaglia's polar method, and the
/// second of a pair is kept for the next call. An array drawn there equals so many single draws
/// here.
public final class RandomStream {
    /// The largest seed.
    public static final long MOST_SEED = 0xffffffffL;

    private static final int WORDS = 624;
    private static final int AHEAD = 397;
    private static final int TWIST = 0x9908b0df;
    private static final int UPPER = 0x80000000;
    private static final int LOWER = 0x7fffffff;
    private static final long FIRST_OF_MANY = 19650218;

    private final int[] words = new int[WORDS];
    private int next = WORDS;
    private double keptNormal;
    private boolean hasKept;

    /// @param seed from 0 to 2³² - 1, as there
    public RandomStream(long seed) {
        seed(seed);
    }

    /// A stream seeded by several words, as `numpy.random.seed([…])` does: the array's bits are
    /// stirred into the state in two passes.
    public static RandomStream ofWords(int... seed) {
        Check.that(seed.length > 0, "a seed has at least one word");
        var stream = new RandomStream(FIRST_OF_MANY);
        int[] words = stream.words;
        int at = 1;
        for (int i = 0; i < Math.max(WORDS, seed.length); i++) {
            int stirred = (words[at - 1] ^ words[at - 1] >>> 30) * 1664525;
            words[at] = (words[at] ^ stirred) + seed[i % seed.length] + i % seed.length;
            at = after(at, words);
        }
        for (int i = 1; i < WORDS; i++) {
            int stirred = (words[at - 1] ^ words[at - 1] >>> 30) * 1566083941;
            words[at] = (words[at] ^ stirred) - at;
            at = after(at, words);
        }
        words[0] = UPPER;
        return stream;
    }

    /// The next place but the first, which becomes the last word when the end is reached.
    private static int after(int at, int[] words) {
        if (at + 1 < WORDS) {
            return at + 1;
        }
        words[0] = words[WORDS - 1];
        return 1;
    }

    /// Begins anew, as if just made.
    public void seed(long seed) {
        Check.that(seed >= 0 && seed <= MOST_SEED, "a seed is 0 to %s, found %s", MOST_SEED, seed);
        words[0] = (int) seed;
        for (int i = 1; i < WORDS; i++) {
            words[i] = 1812433253 * (words[i - 1] ^ words[i - 1] >>> 30) + i;
        }
        next = WORDS;
        hasKept = false;
    }

    /// 32 bits, as a number from 0 to 2³² - 1.
    public long word() {
        if (next == WORDS) {
            refill();
        }
        int bits = words[next++];
        bits ^= bits >>> 11;
        bits ^= bits << 7 & 0x9d2c5680;
        bits ^= bits << 15 & 0xefc60000;
        bits ^= bits >>> 18;
        return Integer.toUnsignedLong(bits);
    }

    private void refill() {
        for (int i = 0; i < WORDS; i++) {
            int joined = words[i] & UPPER | words[(i + 1) % WORDS] & LOWER;
            int twisted = joined >>> 1 ^ ((joined & 1) == 0 ? 0 : TWIST);
            words[i] = words[(i + AHEAD) % WORDS] ^ twisted;
        }
        next = 0;
    }

    /// Evenly from 0 (included) to 1 (excluded), with 53 bits.
    public double unit() {
        long high = word() >>> 5;
        long low = word() >>> 6;
        return (high * 67108864.0 + low) / 9007199254740992.0;
    }

    public double uniform(double from, double to) {
        return from + (to - from) * unit();
    }

    /// Evenly from `least` (included) to `end` (excluded). Nothing is drawn where there is no
    /// choice.
    public int whole(int least, int end) {
        Check.that(least < end, "no whole number from %s up to but not including %s", least, end);
        int span = end - 1 - least;
        if (span == 0) {
            return least;
        }
        int mask = -1 >>> Integer.numberOfLeadingZeros(span);
        long drawn = word() & mask;
        while (drawn > span) {
            drawn = word() & mask;
        }
        return least + (int) drawn;
    }

    /// From a bell curve.
    public double normal(double mean, double deviation) {
        return mean + deviation * standardNormal();
    }

    private double standardNormal() {
        if (hasKept) {
            hasKept = false;
            return keptNormal;
        }
        double x;
        double y;
        double square;
        do {
            x = 2.0 * unit() - 1.0;
            y = 2.0 * unit() - 1.0;
            square = x * x + y * y;
        } while (square >= 1.0 || square == 0.0);
        double factor = Math.sqrt(-2.0 * StrictMath.log(square) / square);
        keptNormal = factor * x;
        hasKept = true;
        return factor * y;
    }

    /// The gap between two arrivals of a Poisson stream.
    public double exponential(double mean) {
        return -mean * StrictMath.log(1.0 - unit());
    }
}
