package io.gpusched.sim.whatif;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.Listener;
import io.gpusched.core.drive.Driver;
import io.gpusched.core.engine.Conclusion;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Input;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Expected;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// History decided once more, batch by batch.
///
/// While every round decides what was recorded, what happened is taken from the record as it is: it
/// is what the cell itself was told, so the same rules must decide the same. The first round that
/// decides something else parts from the record. From there on runs begin and end in a world of
/// their own ([Runs]), and of the record only that is taken which did not depend on decisions
/// ([Retelling]).
///
/// Both parts are the cell of production, driven by the [Driver] of every simulation; only who
/// tells it of runs is different. One thread owns a course.
public final class Course {
    private static final Duration TICK = Duration.ofMillis(1);

    /// Wakes in a row that decide nothing come at growing distances, up to 2^16 ticks.
    private static final int MOST_DOUBLINGS = 16;

    private final Question question;
    private final Way.Known ways;
    private final Consumer<Event> listener;
    private final Runs runs;
    private final Retelling retelling;
    private final Driver driver;
    private Way inForce;
    private Way way;

    /// The policy that was chosen by command in the record, over what any scheduler there had set;
    /// empty when none was.
    private String chosen;

    /// Whether the rules are not those of the record, so that the engine must be woken whenever it
    /// wants to be, not only when it was then.
    private boolean followsWakes;

    private @Nullable Difference parted;
    private long lastBatch;
    private long decisions;
    private int idleWakes;

    /// @param engine at the point from which on decisions are made anew; the course owns it
    /// @param inForce how decisions were made there; the engine decides already as is asked for
    /// @param ways what later schedulers on the same journal recorded of themselves
    /// @param saved what jobs under way have saved in earlier runs
    /// @param listener hears of every event on this course
    /// @param rounds hears of every round of decisions, with what it was told before
    Course(
            Engine engine,
            Question question,
            Way inForce,
            Way.Known ways,
            Lengths lengths,
            Map<JobId, Duration> saved,
            Consumer<Event> listener,
            Listener rounds) {
        this.question = question;
        this.inForce = inForce;
        this.chosen = engine.state().policy();
        this.way = inForce.with(question.policy(), question.placer());
        this.ways = ways;
        this.listener = listener;
        this.runs = new Runs(this, lengths, saved);
        this.retelling = new Retelling(this);
        Instant start = engine.state().lastAt();
        this.driver = new Driver(Cell.detached(engine, told(rounds)), runs, start);
        this.lastBatch = engine.lastBatch();
        this.followsWakes = !way.equals(inForce);
        if (!question.policy().isEmpty() && !isInForce(question.policy())) {
            record(new Event.PolicyChanged(start, question.policy(), "what-if"));
        }
    }

    private boolean isInForce(String policy) {
        return state().policy().isEmpty() || state().policy().equals(policy);
    }

    /// Decisions are told to the listener; it has heard of facts already.
    private Listener told(Listener rounds) {
        return (batch, conclusion) -> {
            batch.decided().forEach(listener);
            rounds.concluded(batch, conclusion);
        };
    }

    /// Takes the next recorded batch. False when it cannot yet: some run under way may end before
    /// and nobody knows. Then it is to be tried again when more is known.
    public boolean follow(Batch batch) {
        if (parted == null && followsWakes) {
            wakeBefore(batch.at());
        }
        boolean done = parted == null ? alongside(batch) : apart(batch);
        lastBatch = done ? batch.number() : lastBatch;
        return done;
    }

    /// Goes on to `end`, after the last batch.
    public boolean finish(Instant end) {
        return parted == null || goTo(end);
    }

    /// The first round that decided otherwise; null as long as there was none.
    public @Nullable Difference parted() {
        return parted;
    }

    /// Decisions made so far.
    public long decisions() {
        return decisions;
    }

    /// How many runs ended when it was likely because nobody knows how long they take.
    public long guesses() {
        return runs.guesses();
    }

    public Instant now() {
        return driver.now();
    }

    /// How often jobs that save their work do so.
    Duration savedEvery() {
        return way.settings().policy().checkpointEvery();
    }

    /// What was learned on this course.
    RuntimeModel model() {
        return engine().learner().model();
    }

    ClusterState state() {
        return driver.state();
    }

    private Engine engine() {
        return driver.cell().engine();
    }

    // While nothing differs.

    private boolean alongside(Batch batch) {
        driver.moveTo(batch.at());
        for (Event fact : batch.facts()) {
            switch (fact) {
                case Event.PolicyChanged e -> changesPolicy(e);
                case Event.JobSubmitted e -> record(expecting(e));
                case Event.EngineStarted e -> takesCharge(e);
                default -> record(fact);
            }
        }
        List<Event> decided = decide(hasTurns(batch));
        boolean strayed = !followsWakes && engine().digest() != batch.digest();
        if (strayed || !Difference.isNone(batch.decided(), decided)) {
            part(batch.number(), batch.decided(), decided);
        }
        return true;
    }

    /// A scheduler that takes charge lets nobody have a turn in the same round.
    private static boolean hasTurns(Batch batch) {
        return batch.facts().stream().noneMatch(fact -> fact instanceof Event.EngineStarted);
    }

    private void wakeBefore(Instant end) {
        for (Instant wake = driver.next();
                parted == null && wake != null && wake.isBefore(end);
                wake = driver.next()) {
            driver.moveTo(wake);
            List<Event> decided = decide(true);
            if (!decided.isEmpty()) {
                part(lastBatch, List.of(), decided);
            }
        }
    }

    private void part(long batch, List<Event> recorded, List<Event> otherwise) {
        parted = Difference.of(batch, now(), recorded, otherwise);
        runs.takeUp();
    }

    // When it goes its own way.

    private boolean apart(Batch batch) {
        if (!goTo(batch.at())) {
            return false;
        }
        driver.moveTo(batch.at());
        for (Event fact : batch.facts()) {
            retelling.tell(fact, batch);
        }
        runs.note(decide(true));
        return true;
    }

    /// Lets happen what happens before `end`; false when nobody knows yet what does.
    private boolean goTo(Instant end) {
        while (true) {
            Instant next = driver.next();
            if (next == null || !next.isBefore(end)) {
                return true;
            }
            if (runs.isUnknown(next)) {
                return false;
            }
            driver.moveTo(next);
            runs.note(decide(true));
        }
    }

    /// When the engine is woken that wants to be woken now: later each time it decides nothing.
    Instant later(Instant now) {
        return now.plus(TICK.multipliedBy(1L << Math.min(idleWakes, MOST_DOUBLINGS)));
    }

    // Both.

    private List<Event> decide(boolean turns) {
        Conclusion conclusion = turns ? driver.decide() : driver.conclude();
        List<Event> decided = conclusion.events();
        decisions += decided.size();
        idleWakes = decided.isEmpty() ? idleWakes + 1 : 0;
        return decided;
    }

    /// Records what happened.
    void record(Event event) {
        runs.before(event);
        driver.record(event);
        listener.accept(event);
    }

    /// Hears something asked or told; what it leads to is recorded. False when it is refused.
    boolean hear(Input input) {
        if (!(engine().answer(input, now()) instanceof Answer.Accepted accepted)) {
            return false;
        }
        accepted.events().forEach(this::record);
        runs.note(accepted.events());
        return true;
    }

    /// The job, if this is its present attempt; else null.
    @Nullable Job current(AttemptId attempt) {
        return driver.current(attempt);
    }

    @Nullable Job job(JobId id) {
        return state().job(id);
    }

    /// A submission as this scheduler would have taken it: one that plans with predictions expects
    /// something of jobs of which the other, which did not, expected nothing; and the reverse.
    Event.JobSubmitted expecting(Event.JobSubmitted e) {
        boolean plans = way.inForce().predictions().plans();
        if (plans == inForce.inForce().predictions().plans()) {
            return e;
        }
        if (!plans) {
            return with(e.spec().expecting(Expected.NOTHING), e);
        }
        var submit = new Command.Submit(e.spec(), "", 0, e.held(), e.by());
        return engine().answer(submit, e.at()) instanceof Answer.Accepted accepted
                        && accepted.events().getLast() instanceof Event.JobSubmitted taken
                ? with(taken.spec(), e)
                : e;
    }

    private static Event.JobSubmitted with(JobSpec spec, Event.JobSubmitted e) {
        return new Event.JobSubmitted(
                e.at(), e.job(), spec, e.key(), e.fingerprint(), e.held(), e.by());
    }

    /// Whoever asks for a policy keeps it; what was chosen later is not taken over.
    void changesPolicy(Event.PolicyChanged e) {
        chosen = e.policy();
        inForce = new Way(chosen, inForce.settings());
        if (question.policy().isEmpty()) {
            way = inForce.with("", question.placer());
            record(e);
        } else {
            followsWakes = true;
        }
    }

    /// Another scheduler goes on with the same journal, perhaps with other settings.
    void takesCharge(Event.EngineStarted e) {
        Way recorded = ways.of(e.fingerprint());
        if (recorded != null) {
            inForce = chosen.isEmpty() ? recorded : new Way(chosen, recorded.settings());
        }
        Way next = inForce.with(question.policy(), question.placer());
        if (!next.equals(way)) {
            way = next;
            Engine restored =
                    Engine.restore(
                            engine().image(),
                            engine().learner().image(),
                            way.toPolicy(),
                            way.settings());
            driver.replace(driver.cell().with(restored));
        }
        followsWakes |= !way.equals(inForce);
        record(e);
    }
}
