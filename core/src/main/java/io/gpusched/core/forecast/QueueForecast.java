package io.gpusched.core.forecast;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.policy.QueueOrder;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/// Estimates when every waiting job will start, also in a queue too long to simulate. Jobs are kept
/// in about the order in which they will start, each with the work before it. The first ones are
/// simulated, and how fast they start gives a rough estimate for the others.
///
///     wait │            ╱ ·         the first 5,000 are simulated
///          │         ╱ ·            beyond: as much time for as much work
///          │  ·  · ·
///          └───────────────── work before
///
/// The farther beyond, the wider the range.
public final class QueueForecast {
    /// Ratios of waits shorter than this mean nothing, in seconds.
    private static final double OFFSET = 60;

    /// What is not yet known of those run ahead for has at least this range, in logarithms.
    private static final double NARROWEST = 0.3;

    /// How many must have been foreseen to tell anything from.
    private static final int FEWEST = 20;

    private record QueuedWork(Job job, double key, double work) {}

    private final List<Job> jobs = new ArrayList<>();
    private final double[] work;
    private final double[] before;

    private QueueForecast(List<QueuedWork> standing) {
        before = new double[standing.size()];
        work = new double[before.length];
        double sum = 0;
        for (int i = 0; i < before.length; i++) {
            jobs.add(standing.get(i).job);
            before[i] = sum;
            work[i] = standing.get(i).work;
            sum += work[i];
        }
    }

    /// @param waiting all waiting jobs, in any order
    /// @param weight of tenants; where they take turns, each gets as much as it weighs
    public static QueueForecast of(
            List<Job> waiting,
            QueueOrder order,
            ToDoubleFunction<TenantId> weight,
            RuntimeSource runtimeSource) {
        var inLine = new ArrayList<QueuedWork>(waiting.size());
        for (Job job : waiting) {
            double seconds = runtimeSource.left(job, "", Duration.ZERO, 0.5).toMillis() / 1e3;
            double work = Math.max(1, job.spec().milliGpus()) * seconds / 1e3;
            inLine.add(new QueuedWork(job, order.key(job), work));
        }
        var byKey = Comparator.comparingDouble(QueuedWork::key).thenComparing(s -> s.job.id());
        inLine.sort(byKey);
        return new QueueForecast(order.byTenant() ? inTurns(inLine, weight) : inLine);
    }

    /// Tenants take turns by what they have had: a job comes when its tenant has had what stands
    /// before the job in the tenant's own line.
    private static List<QueuedWork> inTurns(
            List<QueuedWork> inLine, ToDoubleFunction<TenantId> weight) {
        Map<TenantId, Double> had = new LinkedHashMap<>();
        var turns = new ArrayList<QueuedWork>(inLine.size());
        for (QueuedWork one : inLine) {
            TenantId tenant = one.job.tenant();
            double sofar = had.getOrDefault(tenant, 0.0);
            turns.add(new QueuedWork(one.job, sofar / weight.applyAsDouble(tenant), one.work));
            had.put(tenant, sofar + one.work);
        }
        turns.sort(Comparator.comparingDouble(QueuedWork::key)); // stable: the line decides ties
        return turns;
    }

    /// The first jobs of the queue.
    public List<Job> first(int most) {
        return jobs.subList(0, Math.min(most, jobs.size()));
    }

    /// When the others will start; null when too little was foreseen to tell.
    ///
    /// @param near what was foreseen for the first ones
    public @Nullable Beyond beyond(Map<JobId, StartEstimate> near, Instant now) {
        var foreseen = new ArrayList<Integer>();
        for (int i = 0; i < before.length; i++) {
            StartEstimate startEstimate = near.get(jobs.get(i).id());
            if (startEstimate != null && startEstimate.late() != null) {
                foreseen.add(i);
            }
        }
        if (foreseen.size() < FEWEST) {
            return null;
        }
        foreseen.sort(Comparator.comparing(at -> middle(at, near)));
        Point some = upTo(foreseen, 0.3, near, now);
        Point most = upTo(foreseen, 0.8, near, now);
        double slope = (most.delay - some.delay) / Math.max(1, most.work - some.work);
        if (!(slope > 0)) {
            slope = most.delay / Math.max(1, most.work);
        }
        return new Beyond(now, most, slope, numbers(), byNumber());
    }

    private Instant middle(int at, Map<JobId, StartEstimate> near) {
        return Objects.requireNonNull(Objects.requireNonNull(near.get(jobs.get(at).id())).middle());
    }

    /// A moment, and what will have started by then.
    ///
    /// @param work of the jobs that will have started
    /// @param delay until then, in seconds
    /// @param low how far early times lie below middle ones, in logarithms, on the average
    /// @param high how far late times lie above them
    private record Point(double work, double delay, double low, double high) {}

    /// When a part of those for whom was run ahead will have started, whoever goes first. The last
    /// ones tell nothing: in a run ahead nobody comes after them.
    private Point upTo(
            List<Integer> inOrder, double part, Map<JobId, StartEstimate> near, Instant now) {
        List<Integer> first = inOrder.subList(0, (int) Math.ceil(part * inOrder.size()));
        double done = 0;
        double low = 0;
        double high = 0;
        for (int at : first) {
            StartEstimate startEstimate = Objects.requireNonNull(near.get(jobs.get(at).id()));
            double middle = log(seconds(startEstimate.middle(), now));
            done += work[at];
            low += middle - log(seconds(startEstimate.early(), now));
            high += log(seconds(startEstimate.late(), now)) - middle;
        }
        double delay = seconds(middle(first.getLast(), near), now);
        return new Point(done, delay, low / first.size(), high / first.size());
    }

    private static double seconds(@Nullable Instant then, Instant now) {
        return Duration.between(now, Objects.requireNonNull(then)).toMillis() / 1e3;
    }

    private static double log(double wait) {
        return StrictMath.log(OFFSET + Math.max(0, wait));
    }

    private long[] numbers() {
        return jobs.stream().mapToLong(job -> job.id().number()).sorted().toArray();
    }

    /// The work before each job, in the order of their numbers.
    private double[] byNumber() {
        var order = new Integer[before.length];
        Arrays.setAll(order, at -> at);
        Arrays.sort(order, Comparator.comparing(at -> jobs.get(at).id()));
        var sorted = new double[before.length];
        Arrays.setAll(sorted, at -> before[order[at]]);
        return sorted;
    }

    /// When jobs start for which nobody ran ahead. It takes few bytes for each of them.
    public static final class Beyond {
        private final Instant now;
        private final Point last;
        private final double slope;
        private final long[] numbers;
        private final double[] before;

        private Beyond(Instant now, Point last, double slope, long[] numbers, double[] before) {
            this.now = now;
            this.last = last;
            this.slope = slope;
            this.numbers = numbers;
            this.before = before;
        }

        /// Null for a job that did not wait.
        public @Nullable StartEstimate of(JobId job) {
            int at = Arrays.binarySearch(numbers, job.number());
            if (at < 0) {
                return null;
            }
            double work = before[at];
            double wait = Math.max(0, last.delay + slope * (work - last.work));
            double wider = 1 + StrictMath.log(Math.max(1, work / Math.max(1, last.work)));
            double middle = log(wait);
            return new StartEstimate(
                    then(middle - wider * Math.max(NARROWEST, last.low)),
                    then(middle),
                    then(middle + wider * Math.max(NARROWEST, last.high)));
        }

        private Instant then(double log) {
            double seconds = Math.clamp(StrictMath.exp(log) - OFFSET, 0, 1e9);
            return now.plus(Duration.ofMillis((long) (1000 * seconds)));
        }
    }
}
