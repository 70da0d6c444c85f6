package io.gpusched.core.kit;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.Listener;
import io.gpusched.core.cell.MemoryJournal;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.explain.Explainer;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Assignment;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A cell with a clock that a test turns by hand.
public final class Scene {
    private final Engine engine;
    private final MemoryJournal journal = new MemoryJournal();
    private final Cell cell;
    private final Map<NodeId, Assignment> assignments = new LinkedHashMap<>();
    private final List<Node> nodes = new ArrayList<>();
    private @Nullable CycleResult last;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    public Scene(String policy) {
        this(policy, EngineSettings.DEFAULT);
    }

    public Scene(String policy, EngineSettings settings) {
        engine =
                new Engine(
                        Objects.requireNonNull(Policies.named(policy, settings.policy())),
                        settings);
        cell = new Cell(engine, journal, a -> assignments.put(a.node(), a), new Hears());
        cell.takeCharge(1, "test", "test", now);
    }

    private final class Hears implements Listener {
        @Override
        public void concluded(Batch batch, CycleResult cycleResult) {
            last = cycleResult;
        }

        @Override
        public void nothingChanged(CycleResult cycleResult) {
            last = cycleResult;
        }
    }

    public static Scene with(Node... nodes) {
        var scene = new Scene("priority");
        scene.join(nodes);
        return scene;
    }

    /// Agents say hello, each with all its nodes.
    public void join(Node... joining) {
        nodes.addAll(List.of(joining));
        Map<AgentId, List<Node>> byAgent = new LinkedHashMap<>();
        nodes.forEach(n -> byAgent.computeIfAbsent(n.agent(), a -> new ArrayList<>()).add(n));
        byAgent.forEach((agent, all) -> tell(new Report.Hello(agent(agent), all, List.of())));
    }

    private static Agent agent(AgentId id) {
        return new Agent(id, Agent.Custody.SELF_FENCING, 0);
    }

    public Answer tell(Input input) {
        return cell.handle(List.of(input), now).getFirst();
    }

    /// Several inputs that arrived together.
    public List<Answer> tellTogether(Input... inputs) {
        return cell.handle(List.of(inputs), now);
    }

    public JobId submit(JobBuilder job) {
        Answer answer = tell(new Command.Submit(job.spec(), "", 0, false, "tester"));
        if (answer instanceof Answer.Accepted accepted) {
            return Objects.requireNonNull(accepted.job());
        }
        throw new AssertionError("submission was refused: " + answer);
    }

    /// Lets time pass; the cell is called whenever it asked for it.
    public void pass(Duration time) {
        Instant end = now.plus(time);
        Instant due = cell.wakeAfter(now);
        while (due != null && !due.isAfter(end)) {
            now = due.isAfter(now) ? due : now;
            cell.handle(List.of(), now);
            Instant next = cell.wakeAfter(now);
            due = next != null && next.isAfter(now) ? next : null;
        }
        now = end;
        cell.handle(List.of(), now);
    }

    /// Lets time pass while the cell stands still.
    public void passUnseen(Duration time) {
        now = now.plus(time);
    }

    /// All tasks of the job run now.
    public void runs(JobId job) {
        Run run = run(job);
        for (int rank = 0; run.gang() && rank < run.tasks().size(); rank++) {
            tell(new Report.TaskPrepared(run.id(), rank));
        }
        for (int rank = 0; rank < run.tasks().size(); rank++) {
            tell(new Report.TaskRunning(run.id(), rank));
        }
    }

    /// All tasks of the job end like this.
    public void ends(JobId job, Exit.How how, int code) {
        Run run = run(job);
        for (int rank = 0; rank < run.tasks().size(); rank++) {
            tell(new Report.TaskEnded(run.id(), rank, new Exit(how, code, "")));
        }
    }

    public void completes(JobId job) {
        ends(job, Exit.How.EXITED, 0);
    }

    public void tenant(String name, long gpus, boolean mayBePreempted) {
        var limit =
                new Limits(
                        gpus * 1000,
                        Limits.UNLIMITED,
                        Limits.UNLIMITED,
                        Limits.UNLIMITED,
                        Limits.UNLIMITED);
        tenant(name, limit, mayBePreempted);
    }

    public void tenant(String name, Limits limit, boolean mayBePreempted) {
        tell(
                new Command.PutTenant(
                        new Tenant(
                                new TenantId(name),
                                null,
                                Limits.ZERO,
                                limit,
                                1,
                                new PreemptionRules(mayBePreempted, true, 0),
                                true,
                                Labels.NONE),
                        engine.state().tenants().find(new TenantId(name)) == null,
                        "tester"));
    }

    public Job job(JobId id) {
        return Objects.requireNonNull(engine.state().job(id));
    }

    public Run run(JobId id) {
        return Objects.requireNonNull(job(id).phase().run());
    }

    /// Where the job's tasks are, as text; its phase when it has none.
    public String where(JobId id) {
        Run run = job(id).phase().run();
        return run == null ? phase(id) : run.on().toString();
    }

    /// The simple name of the job's phase.
    public String phase(JobId id) {
        Phase phase = job(id).phase();
        return phase instanceof Phase.Ended ended
                ? ended.outcome().result() + " " + ended.outcome().reason()
                : phase.getClass().getSimpleName();
    }

    public @Nullable Assignment assignment(String node) {
        return assignments.get(new NodeId(node));
    }

    public Engine engine() {
        return engine;
    }

    /// Explains jobs as things stand now.
    public Explainer explainer() {
        return new Explainer(engine(), now());
    }

    public MemoryJournal journal() {
        return journal;
    }

    public Instant now() {
        return now;
    }

    public @Nullable CycleResult last() {
        return last;
    }
}
