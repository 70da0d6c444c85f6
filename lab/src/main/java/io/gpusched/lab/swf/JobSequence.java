package io.gpusched.lab.swf;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.drive.Driver;
import io.gpusched.core.drive.EventQueue;
import io.gpusched.core.drive.SimulatedCluster;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.Topology;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Backfill;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.TurnOutcome;
import io.gpusched.core.policy.filter.HostFull;
import io.gpusched.core.policy.fit.DefaultFitter;
import io.gpusched.core.policy.order.FifoOrder;
import io.gpusched.core.policy.preempt.NoPreemption;
import io.gpusched.core.state.ClusterState;
import io.gpusched.sim.trace.TraceJob;
import io.gpusched.sim.trace.TraceRun;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/// One sequence of jobs on one machine with many cores.
///
/// The published environment chooses one job and then no other until that job has started, even if
/// better ones arrive meanwhile. Therefore the turns are taken here, by [Driver#attempt]: the first
/// job of the order is tried until it is placed, and time advances from event to event. The core
/// decides whether and where a job fits.
///
/// With backfilling, the chosen job that does not fit gets the time at which it will fit if all
/// running jobs take their requested time; jobs that would end before that may start, in the order
/// of submission.
public final class JobSequence {
    private final List<TraceJob> jobs;
    private final long cores;
    private final NextJob nextJob;
    private final boolean backfills;
    private final Driver driver;
    private final NodeView machine;
    private final List<JobId> queue = new ArrayList<>();
    private final EventQueue<AttemptId> ends = new EventQueue<>();
    private final Instant[] starts;
    private int next;

    /// @param jobs in the order of their submission
    public JobSequence(List<TraceJob> jobs, long cores, NextJob nextJob, boolean backfills) {
        this.jobs = List.copyOf(jobs);
        this.cores = cores;
        this.nextJob = nextJob;
        this.backfills = backfills;
        this.starts = new Instant[jobs.size()];
        Instant start = jobs.getFirst().submitted();
        var policy =
                Policy.builder(
                                "fcfs",
                                new FifoOrder(),
                                new DefaultFitter(false, DefaultFitter.Whole.CONNECTED),
                                new NoPreemption())
                        .filters(List.of(new HostFull()))
                        .backfill(Backfill.STRICT)
                        .build();
        Cell cell =
                Cell.detached(
                        new Engine(policy, EngineSettings.DEFAULT), (batch, cycleResult) -> {});
        this.driver = new Driver(cell, new OneByOne(), start);
        cell.takeCharge(1, "lab", "swf", start);
        driver.tell(
                new Report.Hello(
                        new Agent(TraceRun.AGENT, Agent.Custody.EXTERNAL, 0),
                        List.of(node()),
                        List.of()));
        this.machine = driver.state().nodes().all().getFirst();
    }

    private Node node() {
        return new Node(
                new NodeId("machine"),
                TraceRun.AGENT,
                "",
                List.of(),
                Topology.FLAT,
                Resources.cores(cores, 0),
                List.of(),
                Labels.NONE);
    }

    /// Runs until every job has started.
    public Figures run() {
        arrive();
        while (!queue.isEmpty()) {
            JobId first = nextJob.choose(driver.state(), queue, driver.now());
            if (!start(first)) {
                waitFor(first);
            }
            while (queue.isEmpty() && next < jobs.size()) {
                driver.move();
            }
        }
        return Figures.of(jobs, List.of(starts), cores);
    }

    private void waitFor(JobId chosen) {
        Instant promised = backfills ? promise(chosen) : Instant.MIN;
        do {
            if (backfills) {
                backfill(promised);
            }
            driver.move();
        } while (!start(chosen));
    }

    /// When enough cores will be free if all running jobs take their requested time.
    private Instant promise(JobId chosen) {
        ClusterState state = driver.state();
        long wanted = job(chosen).spec().host().milliCpu();
        long free = machine.freeMilliCpu();
        Instant at = driver.now();
        for (Job running : state.runs().byExpectedEnd()) {
            if (free >= wanted) {
                break;
            }
            free += running.spec().host().milliCpu();
            at = state.runs().expectedEnd(running);
        }
        return at;
    }

    private void backfill(Instant promised) {
        if (!isInOrderOfArrival()) {
            queue.sort(Comparator.comparing(id -> job(id).submitted()));
        }
        for (int i = 0; i < queue.size(); ) {
            JobId id = queue.get(i);
            boolean ends = fits(id) && driver.now().plus(job(id).spec().limit()).isBefore(promised);
            i += ends && start(id) ? 0 : 1;
        }
    }

    private boolean isInOrderOfArrival() {
        for (int i = 1; i < queue.size(); i++) {
            if (queue.get(i - 1).number() > queue.get(i).number()) {
                return false;
            }
        }
        return true;
    }

    /// Whether enough cores are free; a job that does not fit needs no cycle.
    private boolean fits(JobId id) {
        return jobs.get(index(id)).ask().milliCpu() <= machine.freeMilliCpu();
    }

    /// Tries to place one job; returns whether it started.
    private boolean start(JobId id) {
        if (!fits(id) || !(driver.attempt(id) instanceof TurnOutcome.Placed)) {
            return false;
        }
        Run run = Objects.requireNonNull(job(id).phase().run());
        driver.started(run);
        int index = index(id);
        starts[index] = driver.now();
        ends.plan(driver.now().plus(jobs.get(index).runtime()), run.id());
        queue.remove(id);
        return true;
    }

    /// Advances by one event: an arrival, or else the end of a run.
    private final class OneByOne implements SimulatedCluster {
        @Override
        public @Nullable Instant next(Driver driver) {
            return Instants.earlier(comes(), ends.next());
        }

        @Override
        public void happen(Driver driver) {
            Instant comes = comes();
            if (comes != null && !comes.isAfter(driver.now())) {
                arrive();
                return;
            }
            AttemptId over = Objects.requireNonNull(ends.poll(driver.now()));
            Job job = Objects.requireNonNull(driver.current(over));
            driver.ended(Objects.requireNonNull(job.phase().run()), Exit.SUCCESS);
        }

        private @Nullable Instant comes() {
            return next < jobs.size() ? jobs.get(next).submitted() : null;
        }

        /// The cell decides nothing by itself here.
        @Override
        public @Nullable Instant wakes(Instant wanted, Instant now) {
            return null;
        }
    }

    private void arrive() {
        TraceJob job = jobs.get(next++);
        var spec = job.spec(Tenant.DEFAULT, 1, Interruption.DEFAULT);
        driver.tell(new Command.Submit(spec, "", 0, false, "lab"));
        queue.add(new JobId(next));
    }

    private Job job(JobId id) {
        return Objects.requireNonNull(driver.state().job(id));
    }

    private static int index(JobId id) {
        return (int) id.number() - 1;
    }

    /// The result of a sequence.
    ///
    /// @param slowdown the mean bounded slowdown, (wait + run) / run with runs of at least 10 s
    /// @param waitSeconds the mean wait
    /// @param utilization work done per core and second, from the first submission to the last
    ///        start
    public record Figures(double slowdown, double waitSeconds, double utilization) {
        private static final double SHORTEST = 10;

        static Figures of(List<TraceJob> jobs, List<Instant> starts, long cores) {
            double slowdown = 0;
            double waits = 0;
            double work = 0;
            Instant last = starts.getFirst();
            for (int i = 0; i < jobs.size(); i++) {
                TraceJob job = jobs.get(i);
                double wait = seconds(job.submitted(), starts.get(i));
                double run = job.runtime().toSeconds();
                slowdown += Math.max(1, (wait + run) / Math.max(run, SHORTEST));
                waits += wait;
                work += run * (job.ask().milliCpu() / 1000.0);
                last = starts.get(i).isAfter(last) ? starts.get(i) : last;
            }
            double span = seconds(jobs.getFirst().submitted(), last);
            return new Figures(slowdown / jobs.size(), waits / jobs.size(), work / (span * cores));
        }

        private static double seconds(Instant from, Instant to) {
            return Duration.between(from, to).toMillis() / 1000.0;
        }

        /// Slowdown, wait and utilization, in the order of the columns.
        double[] all() {
            return new double[] {slowdown, waitSeconds, utilization};
        }
    }
}
