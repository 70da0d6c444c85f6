package io.gpusched.sim.scenario;

import io.gpusched.core.model.Check;

import java.time.Duration;

/// How long drawn jobs run, as a value.
public sealed interface RuntimeDistribution {
    Duration draw(SeededRandom seededRandom);

    /// Around a median; `spread` is the factor within which two thirds of them lie.
    record LogNormal(Duration median, double spread) implements RuntimeDistribution {
        @Override
        public Duration draw(SeededRandom seededRandom) {
            return seededRandom.logNormal(median, spread).plusSeconds(1);
        }
    }

    /// Mostly short, and a few so long that they make up most of the time: a Pareto curve with
    /// exponent `tail`, cut off at `longest`. The smaller the exponent, the heavier the tail; half
    /// of the jobs are below `median`, but for the cut.
    ///
    ///     P(longer than t) = (shortest / t) ^ tail
    record HeavyTailed(Duration median, double tail, Duration longest)
            implements RuntimeDistribution {
        public HeavyTailed {
            Check.that(tail > 0, "the exponent of the tail is positive, found %s", tail);
            Check.that(median.compareTo(longest) <= 0, "%s is more than %s", median, longest);
        }

        @Override
        public Duration draw(SeededRandom seededRandom) {
            double times = StrictMath.pow(2 * (1 - seededRandom.unit()), -1 / tail);
            double most = (double) longest.toMillis() / Math.max(1, median.toMillis());
            return SeededRandom.scaled(median, Math.min(times, most)).plusSeconds(1);
        }
    }
}
