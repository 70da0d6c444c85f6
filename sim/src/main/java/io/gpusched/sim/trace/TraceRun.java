package io.gpusched.sim.trace;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.engine.Conclusion;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.policy.Policy;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.TreeSet;

/// Lets the jobs of a trace come to a cell and run for as long as the trace says.
///
///     the next moment ──▶ runs end, jobs come ──▶ the cell decides ──▶ runs begin and stop
///
/// Tasks start and stop at once, work that was done is kept, and nothing breaks;
/// [io.gpusched.sim.Simulation] can do more, and is slower. Time jumps from one happening to the
/// next.
public final class TraceRun {
    /// The agent of every node.
    public static final AgentId AGENT = new AgentId("trace");

    /// Nothing is lost when a job is stopped, and it is stopped at once.
    private static final Interruption KEEPS_WORK = new Interruption(Duration.ZERO, true, true);

    /// So many wake-ups with nothing running and nothing to come mean that nothing will ever start.
    private static final int MOST_IDLE_WAKES = 100;

    private record End(Instant at, long order, AttemptId attempt) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final List<TraceJob> jobs;
    private final Manners manners;
    private final Cell cell;
    private final int gpusPerNode;
    private final Fate[] fates;
    private final PriorityQueue<End> ends = new PriorityQueue<>();
    private final List<AttemptId> placed = new ArrayList<>();
    private final List<AttemptId> stopping = new ArrayList<>();
    private final TreeSet<JobId> present = new TreeSet<>();
    private Instant now;
    private long order;
    private int idleWakes;

    /// @param jobs in the order of their submission, at least one
    public TraceRun(
            List<TraceJob> jobs,
            List<Node> nodes,
            Policy policy,
            EngineSettings settings,
            Manners manners) {
        this.jobs = List.copyOf(jobs);
        this.manners = manners;
        this.fates = new Fate[jobs.size()];
        this.now = jobs.getFirst().submitted();
        this.gpusPerNode =
                Math.max(1, nodes.stream().mapToInt(node -> node.gpus().size()).max().orElse(1));
        this.cell = Cell.detached(new Engine(policy, settings), this::note);
        cell.takeCharge(1, "trace", policy.name(), now);
        var inputs = new ArrayList<Input>();
        var tenants = new TreeSet<TenantId>();
        jobs.forEach(job -> tenants.add(tenant(job)));
        tenants.forEach(id -> inputs.add(new Command.PutTenant(tenant(id), true, "trace")));
        inputs.add(
                new Report.Hello(
                        new Agent(AGENT, Agent.Custody.EXTERNAL, 0),
                        List.copyOf(nodes),
                        List.of()));
        cell.handle(inputs, now);
    }

    private static TenantId tenant(TraceJob job) {
        return job.tenant().isEmpty() ? Tenant.DEFAULT : new TenantId(job.tenant());
    }

    /// A tenant whose jobs may be stopped for others.
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

    /// Runs to the end: every job has ended, or nothing can happen any more.
    public List<Fate> run() {
        int next = 0;
        while (next < jobs.size() || !present.isEmpty()) {
            Instant moment = soonest(next < jobs.size() ? jobs.get(next).submitted() : null);
            if (moment == null || idleWakes > MOST_IDLE_WAKES) {
                break;
            }
            next = arriveBefore(next, moment);
            now = moment;
            var inputs = new ArrayList<Input>();
            endWhatIsOver(inputs);
            int first = next;
            while (next < jobs.size() && !jobs.get(next).submitted().isAfter(now)) {
                inputs.add(submission(next++));
            }
            submitted(first, next, cell.handle(inputs, now));
            follow();
            idleWakes = next < jobs.size() || !ends.isEmpty() ? 0 : idleWakes + 1;
        }
        return List.of(fates);
    }

    /// Lets jobs come that do so before the scheduler decides next; it only takes note of them.
    private int arriveBefore(int from, Instant moment) {
        int next = from;
        while (next < jobs.size() && jobs.get(next).submitted().isBefore(moment)) {
            Instant at = jobs.get(next).submitted();
            submitted(next, next + 1, takeNote(List.of(submission(next)), at));
            next++;
        }
        return next;
    }

    private Command.Submit submission(int index) {
        TraceJob job = jobs.get(index);
        fates[index] = new Fate(job);
        present.add(new JobId(index + 1));
        return new Command.Submit(
                job.spec(tenant(job), gpusPerNode, KEEPS_WORK), "", 0, false, "trace");
    }

    /// The jobs that have come and not ended, the first first.
    public Iterable<JobId> present() {
        return present;
    }

    public Engine engine() {
        return cell.engine();
    }

    private void submitted(int from, int to, List<Answer> answers) {
        for (int i = from; i < to; i++) {
            Answer answer = answers.get(answers.size() - (to - i));
            Check.that(
                    answer instanceof Answer.Accepted,
                    "job %s of the trace was refused: %s",
                    i + 1,
                    answer);
        }
    }

    /// When something happens next: a job comes, a run ends, or the cell wants to be woken; null
    /// when nothing will.
    private @Nullable Instant soonest(@Nullable Instant job) {
        Instant soonest = job;
        End end = ends.peek();
        soonest = end != null && (soonest == null || end.at.isBefore(soonest)) ? end.at : soonest;
        Instant wake = cell.wakeAfter(now);
        if (wake != null) {
            wake = wake.isAfter(now) ? wake : now.plusNanos(1000);
            soonest = soonest == null || wake.isBefore(soonest) ? wake : soonest;
        }
        return soonest == null ? null : manners.decides(soonest, jobs.getFirst().submitted());
    }

    private void endWhatIsOver(List<Input> inputs) {
        while (!ends.isEmpty() && !ends.peek().at.isAfter(now)) {
            End end = ends.remove();
            Fate fate = fate(end.attempt.job());
            Run run = run(end.attempt);
            if (run == null) {
                continue;
            }
            for (int rank = 0; rank < run.tasks().size(); rank++) {
                inputs.add(new Report.TaskEnded(end.attempt, rank, Exit.SUCCESS));
            }
            fate.ends(end.at);
            present.remove(end.attempt.job());
        }
    }

    /// Runs begin and stop as the cell has decided, and the cell hears of it at once. When somebody
    /// has left it decides again, until nobody leaves any more.
    private void follow() {
        while (!placed.isEmpty() || !stopping.isEmpty()) {
            var inputs = new ArrayList<Input>();
            boolean somebodyLeaves = !stopping.isEmpty();
            stopping.forEach(attempt -> stop(attempt, inputs));
            placed.forEach(attempt -> begin(attempt, inputs));
            stopping.clear();
            placed.clear();
            if (somebodyLeaves) {
                cell.handle(inputs, now);
            } else {
                takeNote(inputs, now);
            }
        }
    }

    /// The cell hears of something and decides nothing.
    private List<Answer> takeNote(List<Input> inputs, Instant at) {
        List<Answer> answers = cell.take(inputs, at);
        cell.conclude(at);
        return answers;
    }

    private void begin(AttemptId attempt, List<Input> inputs) {
        Run run = Objects.requireNonNull(run(attempt));
        for (int rank = 0; rank < run.tasks().size(); rank++) {
            inputs.add(new Report.TaskRunning(attempt, rank));
        }
        Duration takes = fate(attempt.job()).begins(now);
        ends.add(new End(now.plus(takes).plus(manners.lag()), order++, attempt));
    }

    private void stop(AttemptId attempt, List<Input> inputs) {
        Run run = run(attempt);
        if (run == null) {
            return;
        }
        for (int rank = 0; rank < run.tasks().size(); rank++) {
            inputs.add(new Report.TaskEnded(attempt, rank, Exit.STOPPED));
        }
        ends.removeIf(end -> end.attempt.equals(attempt));
        Fate fate = fate(attempt.job());
        fate.stops(now, manners.restart().apply(fate.job()));
    }

    private @Nullable Run run(AttemptId attempt) {
        Job job = cell.engine().state().job(attempt.job());
        Run run = job == null ? null : job.phase().run();
        return run != null && run.id().equals(attempt) ? run : null;
    }

    private Fate fate(JobId job) {
        return fates[(int) job.number() - 1];
    }

    private void note(Batch batch, Conclusion conclusion) {
        batch.facts().forEach(this::note);
        batch.decided().forEach(this::note);
    }

    private void note(Event event) {
        switch (event) {
            case Event.AttemptPlaced e -> placed.add(e.attempt());
            case Event.AttemptStopping e -> stopping.add(e.attempt());
            default -> {}
        }
    }
}
