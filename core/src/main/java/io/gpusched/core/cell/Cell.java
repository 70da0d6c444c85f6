package io.gpusched.core.cell;

import io.gpusched.core.engine.Cycle;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Input;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Assignment;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.TurnOutcome;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// The step that production and simulation share: it answers and records inputs, runs a scheduling
/// cycle, appends the batch to the journal, and only then releases answers and assignments.
///
/// The server calls [#handle]. An experiment that decides part of this itself uses the steps of
/// `handle` one by one: [#take] or [#record], then one of [#decide], [#attempt], [#conclude] and
/// [#seal].
/// Nothing else begins a scheduling cycle, so every cycle is recorded in the same way.
///
/// One thread owns a cell.
public final class Cell {
    private final Engine engine;
    private final Journal journal;
    private final Launcher launcher;
    private final Listener listener;
    private final AssignmentBuilder assignmentBuilder;

    /// Whether assignments are sent to nodes.
    private final boolean launches;

    private List<Event> facts = new ArrayList<>();
    private Set<NodeId> touched = new LinkedHashSet<>();

    public Cell(Engine engine, Journal journal, Launcher launcher, Listener listener) {
        this(engine, journal, launcher, listener, true);
    }

    private Cell(
            Engine engine,
            Journal journal,
            Launcher launcher,
            Listener listener,
            boolean launches) {
        this.engine = engine;
        this.journal = journal;
        this.launcher = launcher;
        this.listener = listener;
        this.assignmentBuilder = new AssignmentBuilder(engine.state());
        this.launches = launches;
    }

    /// A cell for experiments: no journal keeps its batches, and no node gets assignments.
    public static Cell detached(Engine engine, Listener listener) {
        return new Cell(engine, new NoJournal(), assignment -> {}, listener, false);
    }

    /// This cell around another engine with the same ledger. Facts that are not yet part of a batch
    /// go with it.
    public Cell with(Engine other) {
        var next = new Cell(other, journal, launcher, listener, launches);
        next.facts.addAll(facts);
        next.touched.addAll(touched);
        return next;
    }

    /// Replays the journal to its end.
    public void recover() {
        journal.replay(engine.lastBatch(), engine::apply);
    }

    /// Starts to decide, as the scheduler of `term`, and sends every node its assignments.
    public void takeCharge(long term, String build, String fingerprint, Instant clock) {
        Instant now = time(clock);
        record(new Event.EngineStarted(now, term, build, fingerprint));
        engine.state().nodes().all().forEach(node -> touched.add(node.facts().id()));
        conclude(now);
    }

    /// Everything that happens between a request and its answer:
    /// 1. each input is answered, and what it changes is recorded;
    /// 2. waiting jobs take turns;
    /// 3. facts and decisions go to the journal as one batch;
    /// 4. when that is durable, nodes get assignments, listeners get the batch, and callers get the
    ///    answers.
    public void handle(List<Input> inputs, Instant clock, Consumer<List<Answer>> answered) {
        Instant now = time(clock);
        List<Answer> answers = take(inputs, now);
        Cycle cycle = engine.begin(now);
        engine.takeTurns(cycle);
        conclude(cycle, answers, answered);
    }

    /// The same for a journal that is durable when `append` returns.
    public List<Answer> handle(List<Input> inputs, Instant clock) {
        var answers = new ArrayList<Answer>();
        handle(inputs, clock, answers::addAll);
        return answers;
    }

    /// Step 1 alone: what the inputs change becomes part of the next batch.
    public List<Answer> take(List<Input> inputs, Instant clock) {
        Instant now = time(clock);
        var answers = new ArrayList<Answer>(inputs.size());
        for (Input input : inputs) {
            answers.add(answer(input, now));
        }
        return answers;
    }

    /// Step 1 for one input.
    public Answer take(Input input, Instant clock) {
        return answer(input, time(clock));
    }

    private Answer answer(Input input, Instant now) {
        Answer answer = engine.answer(input, now);
        if (answer instanceof Answer.Accepted accepted) {
            accepted.events().forEach(this::record);
        }
        return answer;
    }

    /// Records a fact that the caller has verified; it becomes part of the next batch.
    public void record(Event fact) {
        if (launches) {
            assignmentBuilder.noteEnd(fact, touched);
        }
        engine.apply(fact);
        if (launches) {
            assignmentBuilder.note(fact, touched);
        }
        facts.add(fact);
    }

    /// Steps 2 to 4: waiting jobs take turns, and everything since the last batch is concluded.
    public CycleResult decide(Instant clock) {
        Cycle cycle = engine.begin(time(clock));
        engine.takeTurns(cycle);
        return conclude(cycle, List.of(), answers -> {});
    }

    /// The same where this waiting job takes a turn and no other does.
    public TurnOutcome attempt(JobId job, Instant clock) {
        Cycle cycle = engine.begin(time(clock));
        TurnOutcome turnOutcome = cycle.attempt(job);
        conclude(cycle, List.of(), answers -> {});
        return turnOutcome;
    }

    /// Steps 3 and 4: no job takes a turn. Deadlines that have passed are acted on all the same.
    public CycleResult conclude(Instant clock) {
        return conclude(engine.begin(time(clock)), List.of(), answers -> {});
    }

    /// Steps 3 and 4 without a cycle: not even deadlines are looked at. All facts of a batch are of
    /// one instant, so a caller that lets time pass without a decision calls this before.
    public void seal(Instant clock) {
        if (!facts.isEmpty()) {
            Instant now = time(clock);
            append(now, CycleResult.nothing(now), List.of(), answers -> {});
        }
    }

    private CycleResult conclude(
            Cycle cycle, List<Answer> answers, Consumer<List<Answer>> answered) {
        CycleResult cycleResult = cycle.end();
        if (launches) {
            cycleResult.events().forEach(event -> assignmentBuilder.note(event, touched));
        }
        if (facts.isEmpty() && cycleResult.events().isEmpty()) {
            listener.nothingChanged(cycleResult);
            answered.accept(answers);
        } else {
            append(cycle.now(), cycleResult, answers, answered);
        }
        return cycleResult;
    }

    private void append(
            Instant at,
            CycleResult cycleResult,
            List<Answer> answers,
            Consumer<List<Answer>> answered) {
        long number = engine.lastBatch() + 1;
        var batch =
                new Batch(
                        number,
                        engine.state().term(),
                        at,
                        facts,
                        cycleResult.events(),
                        engine.digest());
        engine.concluded(number);
        List<Assignment> assignments = takeAssignments(number);
        facts = new ArrayList<>();
        journal.append(
                batch,
                () -> {
                    assignments.forEach(launcher::assign);
                    listener.concluded(batch, cycleResult);
                    answered.accept(answers);
                });
    }

    /// The assignments of all nodes touched since the last batch.
    private List<Assignment> takeAssignments(long number) {
        if (touched.isEmpty()) {
            return List.of();
        }
        List<Assignment> assignments = assignmentBuilder.assignments(touched, number);
        touched = new LinkedHashSet<>();
        return assignments;
    }

    /// Tells the agent again what its nodes should be running.
    public void resend(AgentId agent) {
        for (NodeView node : engine.state().nodes().of(agent)) {
            launcher.assign(assignmentBuilder.assignment(node, engine.lastBatch()));
        }
    }

    /// When the cell wants to be called without any input; null when it need not be.
    public @Nullable Instant wakeAfter(Instant now) {
        return engine.wakeAfter(now);
    }

    public Engine engine() {
        return engine;
    }

    /// The cell's own time: never back, and no finer than what databases keep.
    public Instant time(Instant clock) {
        Instant rounded = clock.truncatedTo(ChronoUnit.MICROS);
        Instant last = engine.state().lastAt();
        return rounded.isBefore(last) ? last : rounded;
    }
}
