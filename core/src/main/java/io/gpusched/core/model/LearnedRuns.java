package io.gpusched.core.model;

import java.time.Instant;
import java.util.List;

/// The last runs of a kind of job on a GPU model, as exported from one scheduler to another.
///
/// @param count runs ever seen
/// @param at when it last changed
/// @param drift detected changes of the runtime
/// @param runs the oldest first
public record LearnedRuns(
        String kind, String gpuModel, long count, Instant at, Drift drift, List<One> runs) {
    public LearnedRuns {
        runs = List.copyOf(runs);
        Check.that(count >= 0, "a count is not negative, found %s", count);
    }

    /// A run that shared its GPUs with no other job.
    public record One(double seconds, Instant start, Features features) {
        public One {
            Check.that(
                    seconds > 0 && Double.isFinite(seconds),
                    "a run takes some time, found %s s",
                    seconds);
        }
    }

    /// Detected changes of the runtime.
    ///
    /// @param changes how many were detected
    /// @param noticed when the last one was detected; the epoch when there was none
    /// @param since when the present behaviour began; the epoch when there was no change
    public record Drift(long changes, Instant noticed, Instant since) {
        public static final Drift NONE = new Drift(0, Instant.EPOCH, Instant.EPOCH);

        public Drift {
            Check.that(changes >= 0, "a count is not negative, found %s", changes);
        }
    }
}
