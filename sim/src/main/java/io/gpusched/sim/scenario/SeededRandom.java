package io.gpusched.sim.scenario;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.SequencedMap;

/// A random number generator whose numbers depend only on its seed, on every machine.
///
/// The generator is SplitMix64: a counter that steps by a fixed odd number, and a mixer that
/// scatters the bits of each count. Each subject (a job, an agent) has its own stream, made by
/// mixing its number into the seed, so that the numbers of one job never depend on how many another
/// has drawn.
public final class SeededRandom {
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private long state;

    public SeededRandom(long seed) {
        this.state = seed;
    }

    /// The stream of one subject (a job, an agent, a workload) under a seed.
    public static SeededRandom of(long seed, String purpose, long subject) {
        long mixed = mix(seed + STEP);
        for (int i = 0; i < purpose.length(); i++) {
            mixed = mix(mixed ^ purpose.charAt(i) * STEP);
        }
        return new SeededRandom(mix(mixed ^ mix(subject)));
    }

    public long next() {
        state += STEP;
        return mix(state);
    }

    /// Evenly from 0 (included) to 1 (excluded).
    public double unit() {
        return (next() >>> 11) * 0x1.0p-53;
    }

    /// Evenly from 0 to `bound` - 1.
    public int below(int bound) {
        return (int) Math.min(bound - 1L, (long) (unit() * bound));
    }

    /// Evenly from `least` to `most`, both included.
    public int between(int least, int most) {
        return least + below(most - least + 1);
    }

    public boolean chance(double probability) {
        return unit() < probability;
    }

    public <T> T pick(List<T> from) {
        return from.get(below(from.size()));
    }

    /// One of the keys, with probabilities proportional to their weights.
    public <T> T pick(SequencedMap<T, Double> weights) {
        double sum = 0;
        for (double weight : weights.values()) {
            sum += weight;
        }
        double left = unit() * sum;
        for (var entry : weights.entrySet()) {
            left -= entry.getValue();
            if (left < 0) {
                return entry.getKey();
            }
        }
        return weights.lastEntry().getKey();
    }

    /// The gap to the next arrival of a Poisson stream, in whole milliseconds.
    public Duration exponential(Duration mean) {
        return scaled(mean, -StrictMath.log(1 - unit()));
    }

    /// Half of the draws below `median`, two thirds within a factor of `spread` of it.
    public Duration logNormal(Duration median, double spread) {
        return scaled(median, StrictMath.exp(normal() * StrictMath.log(spread)));
    }

    /// From the normal distribution with mean 0 and standard deviation 1.
    public double normal() {
        return Math.sqrt(-2 * StrictMath.log(1 - unit())) * StrictMath.cos(2 * Math.PI * unit());
    }

    /// So many times the duration, in whole milliseconds.
    static Duration scaled(Duration duration, double factor) {
        return Duration.ofNanos((long) (duration.toNanos() * factor))
                .truncatedTo(ChronoUnit.MILLIS);
    }

    private static long mix(long bits) {
        long mixed = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
