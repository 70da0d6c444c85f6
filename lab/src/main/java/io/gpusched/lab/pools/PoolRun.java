package io.gpusched.lab.pools;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.drive.Driver;
import io.gpusched.core.drive.InstantCluster;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Run;
import io.gpusched.core.policy.Plugins;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.pool.Pool;
import io.gpusched.sim.replica.IterationCost;
import io.gpusched.sim.replica.LoadReporter;
import io.gpusched.sim.replica.ReplicaWorld;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// A pool on the production core, with simulated replicas beside it.
///
///     reports of load ──▶ Cell: law, limits, placement ──▶ replicas placed, drained, stopped
///            ▲                                                          │
///            └────────────────────── ReplicaWorld ◄─────────────────────┘
///
/// A replica exists from its placement, serves after its load time, and is stopped by the engine
/// when the reports say that it has answered everything. The replicas of the beginning are placed
/// early enough to serve the first request.
final class PoolRun {
    private static final String BY = "lab";

    private final PoolTrace trace;
    private final int loadSeconds;
    private final Duration every;
    private final ComparedLaw law;
    private final ReplicaWorld world;
    private final LoadReporter reporter;
    private final InstantCluster cluster = new InstantCluster(new Replicas());
    private final Driver driver;
    private final Map<JobId, ReplicaWorld.Member> placed = new TreeMap<>();
    private Instant nextReport;

    /// @param every how often the load is reported
    PoolRun(PoolTrace trace, int loadSeconds, ComparedLaw law, Duration every) {
        this.trace = trace;
        this.loadSeconds = loadSeconds;
        this.law = law;
        this.every = every;
        this.nextReport = ComparedLaw.START.plus(every);
        this.world = new ReplicaWorld(IterationCost.LLAMA2_70B, trace.requests());
        this.reporter = new LoadReporter(world, trace.slo());
        // The first report tells that the first replicas are ready: one load time after this.
        Instant early = nextReport.minusSeconds(loadSeconds);
        Instant begin = early.isBefore(ComparedLaw.START) ? early : ComparedLaw.START;
        Cell cell = Cell.detached(engine(law), this::concluded);
        this.driver = new Driver(cell, cluster, begin);
        cell.takeCharge(1, BY, law.label(), begin);
    }

    private static Engine engine(ComparedLaw law) {
        var plugins = new Plugins(List.of(), List.of(), List.of(), List.of(law.scaler()));
        EngineSettings usual = EngineSettings.DEFAULT;
        EngineSettings settings = usual.with(usual.policy().with(plugins));
        Policy policy = Objects.requireNonNull(Policies.named("priority", settings.policy()));
        return new Engine(policy, settings);
    }

    PoolResult run() {
        Pool pool = law.pool(trace, loadSeconds);
        driver.tell(
                new Report.Hello(
                        new Agent(PoolNodes.AGENT, Agent.Custody.EXTERNAL, 0),
                        PoolNodes.of(pool.max()),
                        List.of()));
        put(law.poolAtFirst(trace, loadSeconds));
        driver.moveTo(ComparedLaw.START);
        put(pool);
        while (!world.isOver() && driver.step()) {
            Check.that(driver.now().isBefore(nextReport), "a report was missed");
        }
        return PoolResult.of(trace, loadSeconds, every, law, world);
    }

    private void put(Pool pool) {
        Answer answer = driver.tell(new Command.PutPool(pool, BY));
        Check.that(answer instanceof Answer.Accepted, "the pool was refused: %s", answer);
        driver.decide();
    }

    private static double seconds(Instant instant) {
        return Math.max(0, Duration.between(ComparedLaw.START, instant).toMillis() / 1000.0);
    }

    private void concluded(Batch batch, CycleResult cycleResult) {
        cluster.concluded(batch, cycleResult);
        for (Event event : batch.decided()) {
            if (event instanceof Event.ReplicaDraining draining) {
                leave(draining.job());
            }
        }
    }

    private void leave(JobId job) {
        ReplicaWorld.Member member = placed.get(job);
        if (member != null && !member.isRemoved()) {
            world.remove(member);
        }
    }

    /// Replicas that the engine has not stopped yet although they have nothing left to do.
    private List<JobId> drained() {
        var present = world.members();
        var drained = new ArrayList<JobId>();
        placed.forEach(
                (job, member) -> {
                    if (!present.contains(member)) {
                        drained.add(job);
                    }
                });
        return drained;
    }

    /// The engine submits the replicas itself; what arrives here are reports of load.
    private final class Replicas implements InstantCluster.Jobs {
        @Override
        public Instant nextArrival() {
            return nextReport;
        }

        @Override
        public void arrive(Driver arriving) {
            world.runTo(seconds(nextReport));
            var load = reporter.report(drained());
            arriving.tell(new Report.PoolLoad(ComparedLaw.POOL, load));
            nextReport = nextReport.plus(every);
        }

        @Override
        public Duration begins(Job job, Run run, Instant now) {
            boolean first = !now.isAfter(ComparedLaw.START);
            double readyAt = first ? 0 : seconds(now) + loadSeconds;
            placed.put(job.id(), world.add(job.id().number(), readyAt));
            return JobSpec.WITHOUT_END;
        }

        @Override
        public void stopped(JobId job, Instant now) {
            leave(job);
            placed.remove(job);
        }
    }
}
