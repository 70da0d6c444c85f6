package io.gpusched.sim.generate;

import io.gpusched.core.model.Check;

/// The random numbers of numpy's new interface (`numpy.random.default_rng(seed)`), for experiments
/// that were published with it.
///
/// The generator is PCG64 of O'Neill (2014): a linear congruential step on 128 bits, whose two
/// halves are combined and rotated by the top six bits. The seed is spread over the state by a
/// mixer of its own. Normal numbers come from the ziggurat of Marsaglia and Tsang (2000) with 256
/// layers; its tables are worked out here instead of listed, which agrees with listed ones to the
/// last digits of a double.
public final class PermutedStream {
    private static final long STEP_HIGH = 0x2360ED051FC65DA4L;
    private static final long STEP_LOW = 0x4385DF649FCCF645L;
    private static final int POOL = 4;
    private static final int LAYERS = 256;
    private static final double BASE = 3.654152885361009;
    private static final double AREA = 0.004928673233974655;
    private static final double SCALE = 0x1.0p52;
    private static final long[] SURE = new long[LAYERS];
    private static final double[] WIDTH = new double[LAYERS];
    private static final double[] HEIGHT = new double[LAYERS];

    static {
        double right = BASE;
        double bottom = AREA / height(BASE);
        SURE[0] = (long) (right / bottom * SCALE);
        SURE[1] = 0;
        WIDTH[0] = bottom / SCALE;
        HEIGHT[0] = 1;
        WIDTH[LAYERS - 1] = right / SCALE;
        HEIGHT[LAYERS - 1] = height(right);
        for (int i = LAYERS - 2; i >= 1; i--) {
            double inner = Math.sqrt(-2 * StrictMath.log(AREA / right + height(right)));
            SURE[i + 1] = (long) (inner / right * SCALE);
            WIDTH[i] = inner / SCALE;
            HEIGHT[i] = height(inner);
            right = inner;
        }
    }

    private long high;
    private long low;
    private final long oddHigh;
    private final long oddLow;

    /// @param seed from 0 to 2³² - 1
    public PermutedStream(long seed) {
        Check.that(seed >= 0 && seed <= 0xffffffffL, "a seed is one word, found %s", seed);
        long[] spread = spread((int) seed);
        oddHigh = spread[2] << 1 | spread[3] >>> 63;
        oddLow = spread[3] << 1 | 1;
        step();
        long sum = low + spread[1];
        high += spread[0] + (Long.compareUnsigned(sum, low) < 0 ? 1 : 0);
        low = sum;
        step();
    }

    private static double height(double x) {
        return StrictMath.exp(-0.5 * x * x);
    }

    /// Four words of 64 bits that all depend on every bit of the seed.
    private static long[] spread(int seed) {
        var pool = new int[POOL];
        int[] constant = {0x43b0d7e5};
        for (int i = 0; i < POOL; i++) {
            pool[i] = hashed(i == 0 ? seed : 0, constant, 0x931e8875);
        }
        for (int from = 0; from < POOL; from++) {
            for (int to = 0; to < POOL; to++) {
                if (from != to) {
                    int mixed =
                            0xca01f9dd * pool[to]
                                    - 0x4973f715 * hashed(pool[from], constant, 0x931e8875);
                    pool[to] = mixed ^ mixed >>> 16;
                }
            }
        }
        var words = new long[POOL];
        constant[0] = 0x8b51f9dd;
        for (int i = 0; i < 2 * POOL; i++) {
            long word = hashed(pool[i % POOL], constant, 0x58f38ded) & 0xffffffffL;
            words[i / 2] |= word << 32 * (i % 2);
        }
        return words;
    }

    private static int hashed(int value, int[] constant, int factor) {
        int bits = value ^ constant[0];
        constant[0] *= factor;
        bits *= constant[0];
        return bits ^ bits >>> 16;
    }

    private void step() {
        long nextHigh =
                Math.unsignedMultiplyHigh(low, STEP_LOW) + high * STEP_LOW + low * STEP_HIGH;
        long nextLow = low * STEP_LOW;
        low = nextLow + oddLow;
        high = nextHigh + oddHigh + (Long.compareUnsigned(low, nextLow) < 0 ? 1 : 0);
    }

    /// 64 bits.
    public long word() {
        step();
        return Long.rotateRight(high ^ low, (int) (high >>> 58));
    }

    /// Evenly from 0 (included) to 1 (excluded), with 53 bits.
    public double unit() {
        return (word() >>> 11) * 0x1.0p-53;
    }

    /// From a bell curve.
    public double normal(double mean, double deviation) {
        return mean + deviation * standardNormal();
    }

    private double standardNormal() {
        while (true) {
            long bits = word();
            int layer = (int) (bits & 0xff);
            long part = bits >>> 9 & 0xfffffffffffffL;
            double x = part * WIDTH[layer];
            x = (bits >>> 8 & 1) == 0 ? x : -x;
            if (part < SURE[layer]) {
                return x;
            }
            if (layer == 0) {
                return tail((part >>> 8 & 1) == 0);
            }
            double top = HEIGHT[layer - 1] - HEIGHT[layer];
            if (top * unit() + HEIGHT[layer] < height(x)) {
                return x;
            }
        }
    }

    /// From beyond the widest layer.
    private double tail(boolean right) {
        while (true) {
            double beyond = -1 / BASE * StrictMath.log1p(-unit());
            double drawn = -StrictMath.log1p(-unit());
            if (drawn + drawn > beyond * beyond) {
                return right ? BASE + beyond : -(BASE + beyond);
            }
        }
    }
}
