package io.gpusched.core.learn.runtime;

import io.gpusched.core.model.Features;

import java.util.List;

/// All that a [RuntimeModel] knows, as a value: what a snapshot stores. A model made from it
/// answers and learns exactly as the original. Times are microseconds since the epoch.
///
/// @param version of the learning algorithm; an image of another version is refused
/// @param pasts the longest unchanged first; families and pairs too
/// @param slopes of kinds, in the order of their names
/// @param going runs that have not ended, in the order in which they began
public record ModelImage(
        int version,
        List<Past> pasts,
        List<Named> slopes,
        List<Going> going,
        List<Named> families,
        List<Double> all,
        List<Double> within,
        List<Double> between,
        List<Speed> speeds,
        List<Pair> pairs,
        List<Row> calibrations,
        List<Double> lost,
        Score score) {
    public ModelImage {
        pasts = List.copyOf(pasts);
        slopes = List.copyOf(slopes);
        going = List.copyOf(going);
        families = List.copyOf(families);
        all = List.copyOf(all);
        within = List.copyOf(within);
        between = List.copyOf(between);
        speeds = List.copyOf(speeds);
        pairs = List.copyOf(pairs);
        calibrations = List.copyOf(calibrations);
        lost = List.copyOf(lost);
    }

    /// A named row of numbers.
    public record Named(String name, List<Double> row) {
        public Named {
            row = List.copyOf(row);
        }
    }

    public record Row(List<Double> numbers) {
        public Row {
            numbers = List.copyOf(numbers);
        }
    }

    /// The runs of one kind on one GPU model, the oldest first.
    public record Past(
            String kind,
            String gpu,
            List<Run> runs,
            long count,
            long changed,
            long examined,
            boolean borrowed,
            List<Double> lost,
            Drifting drift) {
        public Past {
            runs = List.copyOf(runs);
            lost = List.copyOf(lost);
        }
    }

    /// @param log of its seconds; traits are logarithms, NaN where not known
    public record Run(
            double log, long start, float gpus, float memory, float parameters, float batch) {}

    public record Drifting(
            double up,
            double down,
            long upSince,
            long downSince,
            long since,
            long changes,
            long lastNoticed) {}

    /// @param forecast the forecast made at its start; empty where there was none
    public record Going(
            long job,
            String kind,
            String gpu,
            Features features,
            List<String> neighbours,
            long start,
            int level,
            List<Double> forecast) {
        public Going {
            neighbours = List.copyOf(neighbours);
            forecast = List.copyOf(forecast);
        }
    }

    public record Speed(String gpu, double later, double variance) {}

    public record Pair(
            String kind, String neighbour, String gpu, double later, double variance, long runs) {}

    /// How often forecasts were correct.
    public record Score(long forecasts, long inside, double recent, double noise) {
        public static final Score NONE = new Score(0, 0, 0.8, 0.25);
    }
}
