package io.gpusched.sim.whatif;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/// Compares each job with itself: under the live policy and in the shadow.
///
/// The two sides have the same jobs with the same run times, so the difference of one job contains
/// what the policies do and little else. Comparing the two means instead would need many more jobs
/// for the same precision.
///
/// A job that has started, or ended, on one side only counts on the other side with its time so
/// far. Otherwise a policy would gain by leaving jobs in the queue. A job that is open on both
/// sides says nothing yet. Memory grows with the jobs that have not ended on both sides.
final class PairedComparison {
    /// Shorter runs count as this long in a slowdown, as is usual: the slowdown of a run of
    /// milliseconds says nothing.
    private static final double SHORTEST_RUN_SECONDS = 10;

    private static final class Side {
        @Nullable Instant started;
        @Nullable Instant running;
        @Nullable Instant ended;

        /// When the wait was over, by a start or by an end without one; null if it is not.
        @Nullable Instant waited() {
            return started == null ? ended : started;
        }

        double runSeconds() {
            return running == null || ended == null ? Double.NaN : seconds(running, ended);
        }
    }

    /// The submission is the same on both sides, so differences do not need it.
    private static final class Pair {
        final Side live = new Side();
        final Side shadow = new Side();
        boolean waitCounted;

        /// The run time on a side where the job has ended; NaN if it never ran.
        double runSeconds() {
            double recorded = live.runSeconds();
            return Double.isNaN(recorded) ? shadow.runSeconds() : recorded;
        }
    }

    private final TreeMap<JobId, Pair> open = new TreeMap<>();
    private final BatchMeans waits = new BatchMeans();
    private final BatchMeans completions = new BatchMeans();
    private final BatchMeans slowdowns = new BatchMeans();

    /// Adds the jobs that wait at the beginning. Jobs that run already are left out: the shadow did
    /// not start them.
    void begin(ClusterState state) {
        for (long number = state.jobs().first(); number <= state.jobs().last(); number++) {
            Job job = state.jobs().job(number);
            if (job != null && !job.ended() && job.phase().run() == null) {
                open.put(job.id(), new Pair());
            }
        }
    }

    void recorded(Event event) {
        hear(event, true);
    }

    void otherwise(Event event) {
        hear(event, false);
    }

    private void hear(Event event, boolean isLive) {
        switch (event) {
            case Event.JobSubmitted e -> submitted(e.job());
            case Event.AttemptPlaced e -> {
                Pair pair = open.get(e.attempt().job());
                if (pair != null) {
                    Side side = isLive ? pair.live : pair.shadow;
                    side.started = side.started == null ? e.at() : side.started;
                    countWait(pair);
                }
            }
            case Event.AttemptRunning e -> {
                Pair pair = open.get(e.attempt().job());
                if (pair != null) {
                    (isLive ? pair.live : pair.shadow).running = e.at();
                }
            }
            case Event.JobEnded e -> {
                Pair pair = open.get(e.job());
                if (pair != null) {
                    (isLive ? pair.live : pair.shadow).ended = e.at();
                    countWait(pair);
                    countEnd(e.job(), pair);
                }
            }
            default -> {}
        }
    }

    /// Adds a job; both sides submit it.
    void submitted(JobId job) {
        open.putIfAbsent(job, new Pair());
    }

    private void countWait(Pair pair) {
        Instant live = pair.live.waited();
        Instant shadow = pair.shadow.waited();
        if (live != null && shadow != null && !pair.waitCounted) {
            pair.waitCounted = true;
            waits.add(seconds(live, shadow));
        }
    }

    private void countEnd(JobId id, Pair pair) {
        Instant live = pair.live.ended;
        Instant shadow = pair.shadow.ended;
        if (live != null && shadow != null) {
            addEnd(pair, live, shadow, completions, slowdowns);
            open.remove(id);
        }
    }

    private static void addEnd(
            Pair pair, Instant live, Instant shadow, BatchMeans completions, BatchMeans slowdowns) {
        double later = seconds(live, shadow);
        completions.add(later);
        double ran = pair.runSeconds();
        if (!Double.isNaN(ran)) {
            slowdowns.add(later / Math.max(SHORTEST_RUN_SECONDS, ran));
        }
    }

    /// The differences as of `at`, in the order of the jobs for those that are open on one side.
    PairedDifferences differences(Instant at) {
        BatchMeans allWaits = waits.copy();
        BatchMeans allCompletions = completions.copy();
        BatchMeans allSlowdowns = slowdowns.copy();
        for (Map.Entry<JobId, Pair> entry : open.entrySet()) {
            Pair pair = entry.getValue();
            Instant live = pair.live.waited();
            Instant shadow = pair.shadow.waited();
            if (live == null ^ shadow == null) {
                allWaits.add(seconds(orNow(live, at), orNow(shadow, at)));
            }
            Instant ended = pair.live.ended;
            Instant endedInShadow = pair.shadow.ended;
            if (ended == null ^ endedInShadow == null) {
                addEnd(
                        pair,
                        orNow(ended, at),
                        orNow(endedInShadow, at),
                        allCompletions,
                        allSlowdowns);
            }
        }
        return new PairedDifferences(
                allWaits.interval(), allCompletions.interval(), allSlowdowns.interval());
    }

    /// The two sides are at slightly different times, so an event of one may be later than `at`.
    private static Instant orNow(@Nullable Instant when, Instant at) {
        return when == null ? at : when;
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / 1e3;
    }
}
