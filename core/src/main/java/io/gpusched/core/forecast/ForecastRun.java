package io.gpusched.core.forecast;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.drive.Driver;
import io.gpusched.core.drive.InstantCluster;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.learn.JobProfiles;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/// Simulates a copy of the engine once into the future. Tasks start and stop at once, runs end
/// after a drawn runtime, and no job is submitted.
final class ForecastRun implements InstantCluster.Jobs {
    /// After this many consecutive wake-ups without a decision, while no job runs, nothing more
    /// will happen.
    private static final int IDLE_WAKES = 20;

    private final RuntimeSource runtimeSource;
    private final long seed;
    private final long mostSteps;
    private final InstantCluster cluster = new InstantCluster(this);
    private final Driver driver;
    private final Set<JobId> awaited;
    private final BiConsumer<JobId, Instant> starts;
    private long steps;

    /// @param awaited jobs whose starts end the run
    /// @param starts called when one of them starts for the first time
    ForecastRun(
            Engine engine,
            Instant from,
            RuntimeSource runtimeSource,
            long seed,
            long mostSteps,
            Set<JobId> awaited,
            BiConsumer<JobId, Instant> starts) {
        engine.timedDecisions().keepPools();
        engine.timedDecisions().keepChoices();
        this.driver = new Driver(Cell.detached(engine, cluster), cluster, from);
        this.runtimeSource = runtimeSource;
        this.seed = seed;
        this.mostSteps = mostSteps;
        this.awaited = new LinkedHashSet<>(awaited);
        this.starts = starts;
    }

    /// Runs until all awaited jobs have started, or nothing more happens.
    void run() {
        takeUp();
        int idle = 0;
        while (!awaited.isEmpty() && steps < mostSteps && idle < IDLE_WAKES) {
            long before = steps;
            driver.decide();
            if (!driver.move()) {
                return;
            }
            boolean nothing = steps == before;
            idle = nothing && cluster.nextEnd(driver) == null ? idle + 1 : 0;
            steps += nothing ? 1 : 0;
        }
    }

    /// What runs already will end, what is stopping ends now.
    private void takeUp() {
        for (Job job : running()) {
            Run run = job.phase().run();
            Instant since = job.phase().startedAt();
            if (run == null) {
                continue;
            }
            if (driver.state().runs().isEndless(job)) {
                start(job, run);
            } else if (job.phase() instanceof Phase.Stopping) {
                driver.ended(run, Exit.STOPPED);
            } else if (since == null) {
                driver.started(run);
                cluster.willEnd(run, driver.now().plus(left(job, run, Duration.ZERO)));
            } else {
                Duration ran = Duration.between(since, driver.now());
                cluster.willEnd(run, driver.now().plus(left(job, run, ran)));
            }
        }
    }

    private void start(Job job, Run run) {
        if (job.phase().startedAt() == null) {
            driver.started(run);
        }
    }

    private List<Job> running() {
        var all = new ArrayList<Job>();
        driver.state().runs().byExpectedEnd().forEach(all::add);
        return all;
    }

    @Override
    public Duration begins(Job job, Run run, Instant now) {
        steps++;
        if (awaited.remove(job.id())) {
            starts.accept(job.id(), now);
        }
        return left(job, run, Duration.ZERO);
    }

    @Override
    public void ended(JobId job, Instant at) {
        steps++;
    }

    /// Replicas of pools stay, unless they are being drained.
    private Duration left(Job job, Run run, Duration ran) {
        if (job.spec().isReplica()) {
            Instant leaves = driver.state().runs().expectedEnd(job);
            Duration left = Duration.between(driver.now(), leaves);
            return left.isNegative() ? Duration.ZERO : left;
        }
        String gpu = JobProfiles.gpu(run.on(), driver.state());
        return runtimeSource.left(job, gpu, ran, luck(job));
    }

    /// The quantile of the job's runtime in this simulation, the same for all its runs. Half of the
    /// jobs of a kind share one quantile: if a kind of work takes longer than predicted, most of
    /// its jobs do. Independent quantiles would average out over a queue of a hundred jobs, and
    /// starts would seem far more certain than they are.
    private double luck(Job job) {
        long own = mixed(job.id().number());
        boolean shared = (own & 1) == 0;
        return ((shared ? mixed(number(job.spec().kind())) : own) >>> 11) * 0x1.0p-53;
    }

    /// A hash of the name that is the same on every platform.
    private static long number(String name) {
        int number = 0;
        for (int i = 0; i < name.length(); i++) {
            number = 31 * number + name.charAt(i);
        }
        return number;
    }

    private long mixed(long number) {
        long mixed = (seed + 1) * 0x9E3779B97F4A7C15L + number;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
