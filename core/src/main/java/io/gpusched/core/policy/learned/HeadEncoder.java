package io.gpusched.core.policy.learned;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.RuntimeExpectation;
import io.gpusched.core.nodes.FreeCapacity;
import io.gpusched.core.state.ClusterView;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// The numbers by which a model sees the first waiting jobs of the queue, one row of [#FEATURES]
/// for each. All are finite and from 0 to [#MOST], but a priority, which is between -1 and 1.
/// Runtimes are those that the scheduler plans with (expectations and limits), never the true ones.
///
/// | feature | meaning |
/// |---|---|
/// | 0, 1 | log of the planned and of the usual runtime |
/// | 2 | whether anything is known of the runtime |
/// | 3, 4, 5 | log of GPUs (or cores); dominant share of the fleet and its log |
/// | 6, 7, 8, 9 | wait: part of a day, log, log of wait / runtime, wait / (wait + runtime) |
/// | 10, 11, 12, 13 | priority, log of tasks, whether it uses GPUs, log of earlier run time |
/// | 14 | whether it fits into what is free now, by counts |
/// | 15, 16 | fraction left free after its start, need / free |
/// | 17, 18 | log of the time until it is expected to end if it goes next, and until it fits |
/// | 19 | whether it would end before the oldest head is expected to fit |
/// | 20, 21, 22 | log of waiting jobs, idle GPUs, idle cores |
/// | 23, 24, 25, 26 | heads: mean of 0, mean of 5, fraction that fits, mean of 7 |
/// | 27, 28, 29 | log of the time until the first, a quarter, half of the next runs have ended |
///
/// Features from 20 on are equal in all rows. They are computed once; each head costs a constant
/// number of steps for each GPU model of the fleet. An encoder keeps only scratch memory between
/// calls; one thread uses it.
public final class HeadEncoder {
    /// Changes whenever a feature changes: a model is valid for one version only.
    public static final String VERSION = "heads-1";

    public static final int FEATURES = 30;

    /// The feature that says whether the job fits into what is free now, by counts.
    public static final int FITS = 14;

    /// The largest value of a feature.
    public static final float MOST = 1.5f;

    private static final int OF_QUEUE = 20;
    private static final double LONGEST = 30 * 86_400;
    private static final double DAY = 86_400;

    /// Runs count as at least this long where a wait is divided by them.
    private static final double SHORTEST = 10;

    private static final double LOG_TIME = LogTable.log1p(LONGEST);
    private static final double LOG_SIZE = LogTable.log1p(1024);
    private static final double LOG_SHARE = LogTable.log1p(1000);
    private static final double LOG_SLOWDOWN = LogTable.log1p(10_000);
    private static final double LOG_QUEUE = LogTable.log1p(100_000);

    private final ExpectedReleases releases = new ExpectedReleases();

    /// Writes the rows of `heads`, in their order, to the beginning of `rows`.
    ///
    /// @param heads waiting jobs
    public void encode(ClusterView cluster, List<Job> heads, Instant now, float[] rows) {
        Check.that(
                rows.length >= heads.size() * FEATURES,
                "%s heads need %s numbers, found %s",
                heads.size(),
                heads.size() * FEATURES,
                rows.length);
        if (heads.isEmpty()) {
            return;
        }
        FreeCapacity free = cluster.nodes().freeCapacity();
        releases.read(cluster.runs(), now);
        Duration assumed = cluster.runs().assumedRuntime();
        float oldestFits = oldestFits(heads, free);
        double lengths = 0;
        double shares = 0;
        double fitting = 0;
        double waits = 0;
        for (int head = 0; head < heads.size(); head++) {
            int row = head * FEATURES;
            Job job = heads.get(head);
            long milliGpus = job.spec().milliGpus();
            Resources host = job.spec().host();
            size(job.spec(), milliGpus, host, free, rows, row);
            double usual = time(job, assumed, now, rows, row);
            double until = fit(job.spec(), milliGpus, host, free, rows, row);
            rows[row + 17] = log(until + usual, LOG_TIME);
            rows[row + 19] = rows[row] < oldestFits ? 1 : 0;
            lengths += rows[row];
            shares += rows[row + 5];
            waits += rows[row + 7];
            fitting += rows[row + FITS];
        }
        queue(cluster, free, rows);
        rows[23] = (float) (lengths / heads.size());
        rows[24] = (float) (shares / heads.size());
        rows[25] = (float) (fitting / heads.size());
        rows[26] = (float) (waits / heads.size());
        for (int head = 1; head < heads.size(); head++) {
            int row = head * FEATURES;
            System.arraycopy(rows, OF_QUEUE, rows, row + OF_QUEUE, FEATURES - OF_QUEUE);
        }
    }

    /// What the job asks for.
    private static void size(
            JobSpec spec,
            long milliGpus,
            Resources host,
            FreeCapacity free,
            float[] rows,
            int row) {
        double share =
                free.capacity()
                        .dominantShare(
                                (double) milliGpus,
                                (double) host.milliCpu(),
                                (double) host.memoryMiB());
        rows[row + 3] = log((milliGpus > 0 ? milliGpus : host.milliCpu()) / 1000.0, LOG_SIZE);
        rows[row + 4] = (float) Math.min(1, share);
        rows[row + 5] = log(1000 * Math.min(1, share), LOG_SHARE);
        rows[row + 11] = log(spec.tasks() - 1, LOG_SIZE);
        rows[row + 12] = milliGpus > 0 ? 1 : 0;
    }

    /// How long it is expected to run and has waited. Returns its usual runtime in seconds.
    private static double time(Job job, Duration assumed, Instant now, float[] rows, int row) {
        JobSpec spec = job.spec();
        RuntimeExpectation expected = spec.runtimeExpectation();
        double planned = seconds(spec.planned(assumed));
        double usual = expected.isKnown() ? seconds(expected.usual()) : planned;
        double wait = Math.max(0, (Instants.micros(now) - Instants.micros(job.submitted())) / 1e6);
        double bounded = Math.max(SHORTEST, usual);
        rows[row] = log(planned, LOG_TIME);
        rows[row + 1] = expected.isKnown() ? log(usual, LOG_TIME) : rows[row];
        rows[row + 2] = expected.isKnown() || !spec.limit().isZero() ? 1 : 0;
        rows[row + 6] = (float) Math.min(1, wait / DAY);
        rows[row + 7] = log(wait, LOG_TIME);
        rows[row + 8] = log(wait / bounded, LOG_SLOWDOWN);
        rows[row + 9] = (float) (wait / (wait + bounded));
        rows[row + 10] = (float) (job.priority() / (10.0 + Math.abs((double) job.priority())));
        rows[row + 13] = log(seconds(job.ran()), LOG_TIME);
        return usual;
    }

    /// Whether it fits now by counts, what it would leave, and when it will fit. Returns the
    /// seconds until then.
    private double fit(
            JobSpec spec,
            long milliGpus,
            Resources host,
            FreeCapacity free,
            float[] rows,
            int row) {
        boolean fits = fits(spec, free);
        boolean gpus = milliGpus > 0;
        double all = gpus ? free.capacity().milliGpus() : free.capacity().milliCpu();
        double left = gpus ? suitable(spec, free) : free.milliCpu();
        double need = gpus ? milliGpus : host.milliCpu();
        rows[row + FITS] = fits ? 1 : 0;
        rows[row + 15] = fits && all > 0 ? (float) Math.clamp((left - need) / all, 0, 1) : 0;
        rows[row + 16] = left > need ? (float) (need / left) : 1;
        double until = fits ? 0 : untilFits(milliGpus, host, free);
        rows[row + 18] = log(until, LOG_TIME);
        return until;
    }

    private static boolean fits(JobSpec spec, FreeCapacity free) {
        for (Role role : spec.roles()) {
            if (free.tasks(role.shape()) < role.min()) {
                return false;
            }
        }
        return true;
    }

    /// Idle GPUs that suit its first role, in thousandths.
    private static double suitable(JobSpec spec, FreeCapacity free) {
        return 1000.0 * free.idleGpus(spec.roles().getFirst().shape());
    }

    private double untilFits(long milliGpus, Resources host, FreeCapacity free) {
        return releases.secondsUntil(
                milliGpus - 1000 * free.idleGpus(), host.milliCpu() - free.milliCpu(), LONGEST);
    }

    /// The log of the time until the oldest head is expected to fit.
    private float oldestFits(List<Job> heads, FreeCapacity free) {
        Job oldest = heads.getFirst();
        for (Job head : heads) {
            oldest = head.submitted().isBefore(oldest.submitted()) ? head : oldest;
        }
        JobSpec spec = oldest.spec();
        return fits(spec, free) ? 0 : log(untilFits(spec.milliGpus(), spec.host(), free), LOG_TIME);
    }

    private void queue(ClusterView cluster, FreeCapacity free, float[] rows) {
        double gpus = free.capacity().milliGpus();
        double cpu = free.capacity().milliCpu();
        rows[OF_QUEUE] = log((double) cluster.waitingJobs(), LOG_QUEUE);
        rows[OF_QUEUE + 1] = gpus > 0 ? (float) Math.min(1, 1000 * free.idleGpus() / gpus) : 0;
        rows[OF_QUEUE + 2] = cpu > 0 ? (float) Math.clamp(free.milliCpu() / cpu, 0, 1) : 0;
        rows[OF_QUEUE + 7] = log(releases.quantile(0, LONGEST), LOG_TIME);
        rows[OF_QUEUE + 8] = log(releases.quantile(0.25, LONGEST), LOG_TIME);
        rows[OF_QUEUE + 9] = log(releases.quantile(0.5, LONGEST), LOG_TIME);
    }

    private static float log(double value, double most) {
        return (float) Math.min(MOST, LogTable.log1p(value) / most);
    }

    private static double seconds(Duration duration) {
        return duration.getSeconds() + duration.getNano() * 1e-9;
    }
}
