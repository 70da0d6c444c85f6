package io.gpusched.sim.scenario;

import io.gpusched.core.model.Check;

import java.time.Duration;

/// The runtime distribution of generated jobs.
public sealed interface RuntimeDistribution {
    Duration draw(SeededRandom seededRandom);

    /// Log-normal around a median; two thirds lie within the factor `spread`.
    record LogNormal(Duration median, double spread) implements RuntimeDistribution {
        @Override
        public Duration draw(SeededRandom seededRandom) {
            return seededRandom.logNormal(median, spread).plusSeconds(1);
        }
    }

    /// Heavy-tailed: a Pareto distribution with exponent `tail`, truncated at `longest`. A smaller
    /// exponent gives a heavier tail; `median` is the median before truncation.
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
