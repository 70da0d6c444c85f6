package io.gpusched.core.scale;

import io.gpusched.core.pool.LoadCount;
import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.LoadInterval;

import java.util.List;

/// How many requests one replica answers in a second at most, learned where the model of iterations
/// is wrong.
///
/// The model assumes that a replica works on all of its requests at once. Many do not: they have a
/// few slots, or one, and further requests wait although iterations stay short. Reports show it:
/// for a whole minute many requests missed their objective while several were on each replica, and
/// the model finds no reason for it.
///
///     minutes of the last hour ─▶ does one contradict the model? ─ none ─▶ no limit
///                              ─▶ from then on: the most answers of a replica in a minute ─▶ limit
///
/// A contradiction may have another cause. Then the figure is less than what a replica can do, and
/// the pool gets no more replicas than serve the load at that pace.
final class ThroughputLimit {
    static final double NONE = Double.POSITIVE_INFINITY;

    /// The intervals of a minute.
    private static final int MINUTE = 12;

    /// A request counts as missed when its answer ends, which may be so many intervals after it
    /// came: five minutes.
    private static final int LATER = 60;

    /// Answers of a minute from which on it counts.
    private static final long ENOUGH = 10;

    /// How many more misses than the model's contradict it, as a fraction of the answers. Where the
    /// model is right it differs by a few hundredths.
    private static final double CONTRADICTION = 0.3;

    /// Requests on a replica from which on they may be in each other's way.
    private static final double CROWD = 2;

    /// The rest of what a replica can do is left for requests that come unevenly.
    private static final double USABLE = 0.85;

    private final List<LoadInterval> history;

    /// Requests that arrived before each interval, and those that the model says were missed.
    private final double[] arrived;
    private final double[] planned;

    private ThroughputLimit(List<LoadInterval> history, FluidPool model) {
        this.history = history;
        this.arrived = new double[history.size() + 1];
        this.planned = new double[history.size() + 1];
        double[] missed = model.missedBy(history);
        for (int i = 0; i < missed.length; i++) {
            arrived[i + 1] = arrived[i] + history.get(i).of(LoadCount.ARRIVALS);
            planned[i + 1] = planned[i] + missed[i];
        }
    }

    /// @param model what replicas would have missed without a limit
    static double of(List<LoadInterval> history, FluidPool model) {
        return new ThroughputLimit(history, model).find();
    }

    private double find() {
        double best = 0;
        for (int from = 0; from + MINUTE <= history.size(); from++) {
            var minute = new Minute(history.subList(from, from + MINUTE));
            if (minute.counts() && (best > 0 || contradicts(minute, from))) {
                best = Math.max(best, minute.pace());
            }
        }
        return best > 0 ? USABLE * best : NONE;
    }

    private boolean contradicts(Minute minute, int from) {
        return minute.isCrowded()
                && minute.missed() >= CONTRADICTION
                && minute.missed() - expected(from) >= CONTRADICTION;
    }

    /// The fraction of requests that the model says were missed in the minute that begins there, or
    /// in one whose answers may end in it.
    private double expected(int from) {
        double most = 0;
        for (int i = Math.max(0, from - LATER); i <= from; i++) {
            double requests = arrived[i + MINUTE] - arrived[i];
            most = Math.max(most, (planned[i + MINUTE] - planned[i]) / Math.max(1, requests));
        }
        return most;
    }

    /// What was reported for twelve intervals.
    private static final class Minute {
        private static final double SECONDS = MINUTE * LoadHistory.SECONDS;

        private final double replicas;
        private final long answered;
        private final long within;
        private final double flying;

        Minute(List<LoadInterval> intervals) {
            double ready = 0;
            double fewest = Double.MAX_VALUE;
            long answers = 0;
            long kept = 0;
            double crowd = 0;
            for (LoadInterval each : intervals) {
                double serving = each.mean(LoadCount.READY, LoadCount.KV_COVERED);
                fewest = Math.min(fewest, serving);
                ready += serving;
                answers += each.of(LoadCount.ANSWERED);
                kept += each.of(LoadCount.WITHIN_SLO);
                crowd += each.of(LoadCount.IN_FLIGHT) / 1_000.0;
            }
            replicas = fewest < 1 ? 0 : ready / MINUTE;
            answered = answers;
            within = kept;
            flying = crowd / SECONDS;
        }

        /// Whether a replica was always ready, and enough was answered.
        boolean counts() {
            return replicas > 0 && answered >= ENOUGH;
        }

        boolean isCrowded() {
            return flying >= CROWD * replicas;
        }

        double missed() {
            return (double) (answered - within) / answered;
        }

        /// Answers of a replica per second.
        double pace() {
            return answered / (replicas * SECONDS);
        }
    }
}
