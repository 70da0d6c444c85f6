package io.gpusched.sim.trace;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.drive.Driver;
import io.gpusched.core.drive.InstantCluster;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.RuntimeExpectation;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.policy.Policy;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;

/// Submits the jobs of a trace to a cell and runs each for its recorded time.
///
/// Tasks start and stop at once ([InstantCluster]), and preempted jobs keep their work.
/// [io.gpusched.sim.Simulation] can do more, and is slower.
public final class TraceRun {
    /// The agent of every node.
    public static final AgentId AGENT = new AgentId("trace");

    /// Nothing is lost when a job is stopped, and it is stopped at once.
    private static final Interruption KEEPS_WORK = new Interruption(Duration.ZERO, true, true);

    /// After this many wake-ups with nothing running and nothing to come, nothing will ever start.
    private static final int MOST_IDLE_WAKES = 100;

    private final List<TraceJob> jobs;
    private final TraceBehaviour traceBehaviour;
    private final InstantCluster cluster = new InstantCluster(new Traced());
    private final Driver driver;
    private final int gpusPerNode;
    private final TraceOutcome[] fates;
    private final TreeSet<JobId> present = new TreeSet<>();
    private Function<TraceJob, RuntimeExpectation> expectations = job -> RuntimeExpectation.NOTHING;
    private int next;

    /// @param jobs in the order of their submission, at least one
    public TraceRun(
            List<TraceJob> jobs,
            List<Node> nodes,
            Policy policy,
            EngineSettings settings,
            TraceBehaviour traceBehaviour) {
        this.jobs = List.copyOf(jobs);
        this.traceBehaviour = traceBehaviour;
        this.fates = new TraceOutcome[jobs.size()];
        this.gpusPerNode =
                Math.max(1, nodes.stream().mapToInt(node -> node.gpus().size()).max().orElse(1));
        Instant start = jobs.getFirst().submitted();
        Cell cell = Cell.detached(new Engine(policy, settings), cluster);
        this.driver = new Driver(cell, cluster, start);
        cell.takeCharge(1, "trace", policy.name(), start);
        var tenants = new TreeSet<TenantId>();
        jobs.forEach(job -> tenants.add(tenant(job)));
        tenants.forEach(id -> driver.tell(new Command.PutTenant(tenant(id), true, "trace")));
        driver.tell(
                new Report.Hello(
                        new Agent(AGENT, Agent.Custody.EXTERNAL, 0),
                        List.copyOf(nodes),
                        List.of()));
        driver.decide();
    }

    private static TenantId tenant(TraceJob job) {
        return job.tenant().isEmpty() ? Tenant.DEFAULT : new TenantId(job.tenant());
    }

    /// A tenant whose jobs may be preempted.
    private static Tenant tenant(TenantId id) {
        return new Tenant(
                id,
                null,
                Limits.ZERO,
                Limits.NONE,
                1,
                new PreemptionRules(true, true, 0),
                true,
                Labels.of("name", id.name()));
    }

    /// Lets jobs come with a runtime expectation, as if the scheduler had predicted it.
    public TraceRun expecting(Function<TraceJob, RuntimeExpectation> given) {
        expectations = given;
        return this;
    }

    /// Runs until every job has ended, or nothing can happen any more.
    public List<TraceOutcome> run() {
        int idleWakes = 0;
        while ((next < jobs.size() || !present.isEmpty()) && idleWakes <= MOST_IDLE_WAKES) {
            if (!driver.step()) {
                break;
            }
            boolean more = next < jobs.size() || cluster.nextEnd(driver) != null;
            idleWakes = more ? 0 : idleWakes + 1;
        }
        return List.of(fates);
    }

    /// The submitted jobs that have not ended, oldest first.
    public Iterable<JobId> present() {
        return present;
    }

    public Engine engine() {
        return driver.cell().engine();
    }

    private TraceOutcome fate(JobId job) {
        return fates[(int) job.number() - 1];
    }

    /// The jobs of the trace, numbered in the order of their submission.
    private final class Traced implements InstantCluster.Jobs {
        @Override
        public @Nullable Instant nextArrival() {
            return next < jobs.size() ? jobs.get(next).submitted() : null;
        }

        @Override
        public void arrive(Driver driver) {
            TraceJob job = jobs.get(next);
            fates[next++] = new TraceOutcome(job);
            present.add(new JobId(next));
            JobSpec spec =
                    job.spec(tenant(job), gpusPerNode, KEEPS_WORK)
                            .expecting(expectations.apply(job));
            Answer answer =
                    driver.tell(new Command.Submit(spec, "", 0, false, "trace"), job.submitted());
            Check.that(
                    answer instanceof Answer.Accepted,
                    "job %s of the trace was refused: %s",
                    next,
                    answer);
        }

        @Override
        public Duration begins(Job job, Run run, Instant now) {
            return fate(job.id()).begins(now).plus(traceBehaviour.lag());
        }

        @Override
        public void ended(JobId job, Instant at) {
            fate(job).ends(at);
            present.remove(job);
        }

        @Override
        public void stopped(JobId job, Instant now) {
            fate(job).stops(now, traceBehaviour.restart().apply(fate(job).job()));
        }

        @Override
        public Instant noticedAt(Instant next) {
            return traceBehaviour.decides(next, jobs.getFirst().submitted());
        }
    }
}
