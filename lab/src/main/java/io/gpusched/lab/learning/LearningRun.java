package io.gpusched.lab.learning;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.drive.Driver;
import io.gpusched.core.drive.InstantCluster;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Run;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Submits jobs to a cell in simulated time and reports each start to a watcher.
///
/// Tasks start at once and nothing fails ([InstantCluster]). [io.gpusched.sim.Simulation] can do
/// much more; this class is for traces of many jobs without preemption.
final class LearningRun {
    static final AgentId AGENT = new AgentId("lab");

    /// How long a run takes that begins now.
    interface World {
        double seconds(ArrivingJob job, Run run, Engine engine);
    }

    /// Receives the events of a run.
    interface Watcher {
        /// The job begins to run.
        default void starts(int job, Run run, Instant now) {}

        /// The job gets the reservation, for the first time or again.
        default void reserved(int job, Instant from, Instant now) {}

        /// The job was submitted and must wait.
        default void waits(int job, JobId id, Instant now) {}

        default void ends(int job, Instant now) {}
    }

    private final World world;
    private final Watcher watcher;
    private final InstantCluster cluster = new InstantCluster(new Listed());
    private final Driver driver;
    private List<ArrivingJob> coming = List.of();
    private int next;
    private int ended;

    LearningRun(Engine engine, List<Node> nodes, World world, Watcher watcher) {
        this.world = world;
        this.watcher = watcher;
        Cell cell = Cell.detached(engine, this::concluded);
        this.driver = new Driver(cell, cluster, Instant.EPOCH);
        cell.takeCharge(1, "lab", "learning", Instant.EPOCH);
        driver.tell(
                new Report.Hello(
                        new Agent(AGENT, Agent.Custody.EXTERNAL, 0),
                        List.copyOf(nodes),
                        List.of()));
    }

    Engine engine() {
        return driver.cell().engine();
    }

    /// Submits all jobs, in this order, and runs until the last has ended.
    void run(List<ArrivingJob> jobs) {
        coming = jobs;
        while (next < jobs.size() || cluster.nextEnd(driver) != null) {
            int first = next;
            driver.step();
            tellWhoWaits(first, next);
        }
        Check.that(ended == jobs.size(), "%s jobs never started", jobs.size() - ended);
    }

    private void concluded(Batch batch, CycleResult cycleResult) {
        cluster.concluded(batch, cycleResult);
        for (Event event : batch.decided()) {
            if (event instanceof Event.ClaimMade made) {
                reserved(made.claim());
            }
        }
    }

    private void reserved(Claim claim) {
        if (claim.kind() == Claim.Kind.RESERVATION
                && claim.claimHolder() instanceof ClaimHolder.OfJob of) {
            watcher.reserved(index(of.job()), claim.from(), driver.now());
        }
    }

    private void tellWhoWaits(int from, int to) {
        var waiting = new ArrayList<JobId>();
        for (int index = from; index < to; index++) {
            var id = new JobId(index + 1);
            Job job = driver.state().job(id);
            if (job != null && job.waiting()) {
                waiting.add(id);
            }
        }
        for (JobId id : waiting) {
            watcher.waits(index(id), id, driver.now());
        }
    }

    private static int index(JobId job) {
        return (int) job.number() - 1;
    }

    /// The jobs of the list, numbered in its order.
    private final class Listed implements InstantCluster.Jobs {
        @Override
        public @Nullable Instant nextArrival() {
            return next < coming.size() ? coming.get(next).at() : null;
        }

        @Override
        public void arrive(Driver driver) {
            var submit = new Command.Submit(coming.get(next).spec(), "", 0, false, "lab");
            Answer answer = driver.tell(submit);
            next++;
            Check.that(
                    answer instanceof Answer.Accepted accepted
                            && new JobId(next).equals(accepted.job()),
                    "job %s was refused: %s",
                    next - 1,
                    answer);
        }

        @Override
        public Duration begins(Job job, Run run, Instant now) {
            int index = index(job.id());
            watcher.starts(index, run, now);
            double seconds = world.seconds(coming.get(index), run, engine());
            return Duration.ofMillis((long) (1000 * seconds));
        }

        @Override
        public void ended(JobId job, Instant at) {
            ended++;
            watcher.ends(index(job), driver.now());
        }
    }
}
