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

/// Estimates when every waiting job will start, also in a queue that is too long to simulate. It
/// sorts the jobs in about the order in which they will start and computes the work before each.
/// The first jobs are simulated ([StartForecast]); the rate at which they start gives a rough
/// estimate for the others.
///
///     wait │            ╱ ·         the first 5,000 are simulated
///          │         ╱ ·            beyond: as much time for as much work
///          │  ·  · ·
///          └───────────────── work before
///
/// The more work is before a job, the wider is its range.
public final class QueueForecast {
    /// Ratios of waits shorter than this mean nothing, in seconds.
    private static final double OFFSET = 60;

    /// The narrowest range of an estimate that was not simulated, in logarithms.
    private static final double NARROWEST = 0.3;

    /// The fewest simulated starts that give an estimate for other jobs.
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
    /// @param weight the weights of tenants, by which they share the cluster under fair share
    public static QueueForecast of(
            List<Job> waiting,
            QueueOrder order,
            ToDoubleFunction<TenantId> weight,
            RuntimeSource runtimeSource) {
        var queued = new ArrayList<QueuedWork>(waiting.size());
        for (Job job : waiting) {
            double seconds = runtimeSource.left(job, "", Duration.ZERO, 0.5).toMillis() / 1e3;
            double work = Math.max(1, job.spec().milliGpus()) * seconds / 1e3;
            queued.add(new QueuedWork(job, order.key(job), work));
        }
        var byKey = Comparator.comparingDouble(QueuedWork::key).thenComparing(s -> s.job.id());
        queued.sort(byKey);
        return new QueueForecast(order.byTenant() ? inTurns(queued, weight) : queued);
    }

    /// The order under fair share, where tenants take turns by usage: a job's turn comes when its
    /// tenant has used as much as the work before the job in the tenant's own queue.
    private static List<QueuedWork> inTurns(
            List<QueuedWork> queued, ToDoubleFunction<TenantId> weight) {
        Map<TenantId, Double> had = new LinkedHashMap<>();
        var turns = new ArrayList<QueuedWork>(queued.size());
        for (QueuedWork one : queued) {
            TenantId tenant = one.job.tenant();
            double sofar = had.getOrDefault(tenant, 0.0);
            turns.add(new QueuedWork(one.job, sofar / weight.applyAsDouble(tenant), one.work));
            had.put(tenant, sofar + one.work);
        }
        turns.sort(Comparator.comparingDouble(QueuedWork::key)); // stable: queue order decides ties
        return turns;
    }

    /// The first jobs of the queue.
    public List<Job> first(int most) {
        return jobs.subList(0, Math.min(most, jobs.size()));
    }

    /// The estimates for jobs that were not simulated; null if too few starts were simulated.
    ///
    /// @param near the simulated estimates of the first jobs
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

    /// A time, and the jobs that will have started by then.
    ///
    /// @param work the work of these jobs
    /// @param delay the time until then, in seconds
    /// @param low how far early estimates lie below middle ones, in logarithms, on average
    /// @param high how far late estimates lie above them
    private record Point(double work, double delay, double low, double high) {}

    /// When a fraction of the simulated jobs will have started, in any order. The last jobs are
    /// left out, because no jobs are simulated behind them.
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

    /// Estimates for the jobs that were not simulated, in a few bytes for each.
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

        /// The estimate for the job; null if it did not wait.
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
