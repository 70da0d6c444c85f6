package io.gpusched.sim.pools;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.Listener;
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
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Run;
import io.gpusched.core.policy.Plugins;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.scale.Scaler;
import io.gpusched.sim.replica.LoadReporter;
import io.gpusched.sim.replica.ReplicaWorld;

import org.jspecify.annotations.Nullable;

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
public final class PoolRun {
    public static final String BY = "lab";

    /// Receives progress.
    public interface Watcher {
        Watcher NONE = seconds -> {};

        /// Called at every report of load. What it throws ends the run.
        ///
        /// @param seconds simulated since the start
        void at(double seconds);
    }

    private final PoolCase around;
    private final Listener listener;
    private final Watcher watcher;
    private final RoomKeeper rooms;
    private final ReplicaWorld world;
    private final LoadReporter reporter;
    private final InstantCluster cluster = new InstantCluster(new Replicas());
    private final Driver driver;
    private final Map<JobId, ReplicaWorld.Member> placed = new TreeMap<>();
    private Instant nextReport;
    private int scripted;

    /// @param laws laws that the pool may name beside those of the core
    /// @param listener receives every batch
    public PoolRun(PoolCase around, List<Scaler> laws, Listener listener) {
        this(around, laws, listener, Watcher.NONE);
    }

    /// @param watcher learns of progress and may stop the run
    public PoolRun(PoolCase around, List<Scaler> laws, Listener listener, Watcher watcher) {
        this.around = around;
        this.listener = listener;
        this.watcher = watcher;
        this.nextReport = around.start().plus(around.every());
        this.world = new ReplicaWorld(around.cost(), around.requests());
        this.reporter = new LoadReporter(world, around.first().slo());
        // The first report tells that the first replicas are ready: one load time after this.
        Instant early = nextReport.minus(around.loadTime());
        Instant begin = Instants.earlier(early, around.start());
        begin = Objects.requireNonNull(Instants.earlier(begin, nextScripted()));
        Cell cell = Cell.detached(engine(laws), this::concluded);
        this.driver = new Driver(cell, cluster, begin);
        this.rooms = new RoomKeeper(around.nodes(), around.rooms());
        cell.takeCharge(1, BY, "", begin);
    }

    private static Engine engine(List<Scaler> laws) {
        var plugins = new Plugins(List.of(), List.of(), List.of(), laws);
        EngineSettings usual = EngineSettings.DEFAULT;
        EngineSettings settings = usual.with(usual.policy().with(plugins));
        Policy policy = Objects.requireNonNull(Policies.named("priority", settings.policy()));
        return new Engine(policy, settings);
    }

    /// Runs to the end and returns what became of the requests and the replicas.
    public ReplicaWorld run() {
        driver.tell(
                new Report.Hello(
                        new Agent(PoolNodes.AGENT, Agent.Custody.EXTERNAL, 0),
                        around.nodes(),
                        List.of()));
        tell(new Command.PutPool(around.first(), BY));
        driver.decide();
        for (Instant next = nextScripted();
                next != null && !next.isAfter(around.start());
                next = nextScripted()) {
            driver.moveTo(next);
            driver.decide();
        }
        while (!isOver() && driver.step()) {
            Check.that(driver.now().isBefore(nextReport), "a report was missed");
        }
        return world;
    }

    private boolean isOver() {
        Duration since = Duration.between(around.start(), driver.now());
        return since.compareTo(around.end()) >= 0
                && (world.isOver() || since.compareTo(around.limit()) >= 0);
    }

    private @Nullable Instant nextScripted() {
        return scripted < around.script().size() ? around.script().get(scripted).at() : null;
    }

    private void tell(Input input) {
        Answer answer = driver.tell(input);
        Check.that(answer instanceof Answer.Accepted, "%s was refused: %s", input, answer);
    }

    private double seconds(Instant instant) {
        return Math.max(0, Duration.between(around.start(), instant).toMillis() / 1000.0);
    }

    private void concluded(Batch batch, CycleResult cycleResult) {
        cluster.concluded(batch, cycleResult);
        listener.concluded(batch, cycleResult);
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

    /// The engine submits the replicas itself; what arrives here are reports of load and what the
    /// script says.
    private final class Replicas implements InstantCluster.Jobs {
        @Override
        public @Nullable Instant nextArrival() {
            return Instants.earlier(nextScripted(), nextReport);
        }

        @Override
        public void arrive(Driver arriving) {
            Instant next = nextScripted();
            if (next != null && !next.isAfter(nextReport)) {
                around.script().get(scripted++).inputs().forEach(PoolRun.this::tell);
                rooms.keep(arriving);
                return;
            }
            world.runTo(seconds(nextReport));
            watcher.at(world.now());
            var load = around.gauges().with(reporter.report(drained()), nextReport);
            arriving.tell(new Report.PoolLoad(around.first().id(), load));
            rooms.keep(arriving);
            nextReport = nextReport.plus(around.every());
        }

        @Override
        public Duration begins(Job job, Run run, Instant now) {
            boolean first = !now.isAfter(around.start());
            double readyAt = first ? 0 : seconds(now.plus(around.loadTime()));
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
