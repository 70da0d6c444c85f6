package io.gpusched.core.cell;

import io.gpusched.core.engine.Conclusion;
import io.gpusched.core.engine.Cycle;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Input;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Assignment;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.state.NodeView;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// The middle that production and simulation share: what comes in is answered and recorded, waiting
/// jobs take their turns, and nothing goes out before the journal has it.
///
/// One thread owns a cell.
public final class Cell {
    private final Engine engine;
    private final Journal journal;
    private final Launcher launcher;
    private final Listener listener;
    private final Desk desk;
    private List<Event> facts = new ArrayList<>();
    private Set<NodeId> touched = new LinkedHashSet<>();

    public Cell(Engine engine, Journal journal, Launcher launcher, Listener listener) {
        this.engine = engine;
        this.journal = journal;
        this.launcher = launcher;
        this.listener = listener;
        this.desk = new Desk(engine.state());
    }

    /// Brings the engine to where the journal ends.
    public void recover() {
        journal.replay(engine.lastBatch(), engine::apply);
    }

    /// Starts to decide, as the scheduler of `term`, and tells every node what it should be
    /// running.
    public void takeCharge(long term, String build, String fingerprint, Instant clock) {
        Instant now = time(clock);
        apply(new Event.EngineStarted(now, term, build, fingerprint), facts);
        engine.state().nodes().forEach(node -> touched.add(node.facts().id()));
        conclude(engine.begin(now), List.of(), answers -> {});
    }

    /// Everything that happens between a request and its answer:
    /// 1. each input is answered, and what it changes is recorded;
    /// 2. waiting jobs take turns;
    /// 3. facts and decisions go to the journal as one batch;
    /// 4. when that is durable, nodes are told, listeners hear of it, and the answers go out.
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

    /// Step 1 alone, for callers that take the turns themselves.
    public List<Answer> take(List<Input> inputs, Instant now) {
        var answers = new ArrayList<Answer>(inputs.size());
        for (Input input : inputs) {
            Answer answer = engine.answer(input, now);
            if (answer instanceof Answer.Accepted accepted) {
                accepted.events().forEach(event -> apply(event, facts));
            }
            answers.add(answer);
        }
        return answers;
    }

    /// Steps 3 and 4 alone.
    public void conclude(Cycle cycle, List<Answer> answers, Consumer<List<Answer>> answered) {
        Conclusion conclusion = cycle.end();
        conclusion.events().forEach(event -> desk.note(event, touched));
        if (facts.isEmpty() && conclusion.events().isEmpty()) {
            listener.nothingChanged(conclusion);
            answered.accept(answers);
            return;
        }
        long number = engine.lastBatch() + 1;
        var batch =
                new Batch(
                        number,
                        engine.state().term(),
                        cycle.now(),
                        facts,
                        conclusion.events(),
                        engine.digest());
        engine.concluded(number);
        List<Assignment> assignments = desk.assignments(touched, number);
        facts = new ArrayList<>();
        touched = new LinkedHashSet<>();
        journal.append(
                batch,
                () -> {
                    assignments.forEach(launcher::assign);
                    listener.concluded(batch, conclusion);
                    answered.accept(answers);
                });
    }

    /// Tells the agent again what its nodes should be running.
    public void resend(AgentId agent) {
        for (NodeView node : engine.state().nodes()) {
            if (node.facts().agent().equals(agent)) {
                launcher.assign(desk.assignment(node, engine.lastBatch()));
            }
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

    private void apply(Event event, List<Event> into) {
        desk.noteEnd(event, touched);
        engine.apply(event);
        desk.note(event, touched);
        into.add(event);
    }
}
