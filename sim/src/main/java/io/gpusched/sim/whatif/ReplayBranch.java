package io.gpusched.sim.whatif;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.Listener;
import io.gpusched.core.drive.Driver;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Input;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.RuntimeExpectation;
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
/// their own ([BranchRuns]), and of the record only that is taken which did not depend on decisions
/// ([ExogenousEvents]).
///
/// Both parts are the cell of production, driven by the [Driver] of every simulation; only who
/// tells it of runs is different. One thread owns a course.
public final class ReplayBranch {
    private static final Duration TICK = Duration.ofMillis(1);

    /// Wakes in a row that decide nothing come at growing distances, up to 2^16 ticks.
    private static final int MOST_DOUBLINGS = 16;

    private final WhatIfQuestion whatIfQuestion;
    private final SchedulerConfig.Known ways;
    private final Consumer<Event> listener;
    private final BranchRuns branchRuns;
    private final ExogenousEvents exogenousEvents;
    private final Driver driver;
    private SchedulerConfig inForce;
    private SchedulerConfig schedulerConfig;

    /// The policy that was chosen by command in the record, over what any scheduler there had set;
    /// empty when none was.
    private String chosen;

    /// Whether the rules are not those of the record, so that the engine must be woken whenever it
    /// wants to be, not only when it was then.
    private boolean followsWakes;

    private @Nullable DecisionDifference parted;
    private long lastBatch;
    private long decisions;
    private int idleWakes;

    /// @param engine at the point from which on decisions are made anew; the course owns it
    /// @param inForce how decisions were made there; the engine decides already as is asked for
    /// @param ways what later schedulers on the same journal recorded of themselves
    /// @param saved what jobs under way have saved in earlier runs
    /// @param listener hears of every event on this course
    /// @param rounds hears of every round of decisions, with what it was told before
    ReplayBranch(
            Engine engine,
            WhatIfQuestion whatIfQuestion,
            SchedulerConfig inForce,
            SchedulerConfig.Known ways,
            TrueRuntimes trueRuntimes,
            Map<JobId, Duration> saved,
            Consumer<Event> listener,
            Listener rounds) {
        this.whatIfQuestion = whatIfQuestion;
        this.inForce = inForce;
        this.chosen = engine.state().policy();
        this.schedulerConfig = inForce.with(whatIfQuestion.policy(), whatIfQuestion.placer());
        this.ways = ways;
        this.listener = listener;
        this.branchRuns = new BranchRuns(this, trueRuntimes, saved);
        this.exogenousEvents = new ExogenousEvents(this);
        Instant start = engine.state().lastAt();
        this.driver = new Driver(Cell.detached(engine, told(rounds)), branchRuns, start);
        this.lastBatch = engine.lastBatch();
        this.followsWakes = !schedulerConfig.equals(inForce);
        if (!whatIfQuestion.policy().isEmpty() && !isInForce(whatIfQuestion.policy())) {
            record(new Event.PolicyChanged(start, whatIfQuestion.policy(), "what-if"));
        }
    }

    private boolean isInForce(String policy) {
        return state().policy().isEmpty() || state().policy().equals(policy);
    }

    /// Decisions are told to the listener; it has heard of facts already.
    private Listener told(Listener rounds) {
        return (batch, cycleResult) -> {
            batch.decided().forEach(listener);
            rounds.concluded(batch, cycleResult);
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
    public @Nullable DecisionDifference parted() {
        return parted;
    }

    /// Decisions made so far.
    public long decisions() {
        return decisions;
    }

    /// How many runs ended when it was likely because nobody knows how long they take.
    public long guesses() {
        return branchRuns.guesses();
    }

    public Instant now() {
        return driver.now();
    }

    /// How often jobs that save their work do so.
    Duration savedEvery() {
        return schedulerConfig.settings().policy().checkpointEvery();
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
        if (strayed || !DecisionDifference.isNone(batch.decided(), decided)) {
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
        parted = DecisionDifference.of(batch, now(), recorded, otherwise);
        branchRuns.takeUp();
    }

    // When it goes its own way.

    private boolean apart(Batch batch) {
        if (!goTo(batch.at())) {
            return false;
        }
        driver.moveTo(batch.at());
        for (Event fact : batch.facts()) {
            exogenousEvents.tell(fact, batch);
        }
        branchRuns.note(decide(true));
        return true;
    }

    /// Lets happen what happens before `end`; false when nobody knows yet what does.
    private boolean goTo(Instant end) {
        while (true) {
            Instant next = driver.next();
            if (next == null || !next.isBefore(end)) {
                return true;
            }
            if (branchRuns.isUnknown(next)) {
                return false;
            }
            driver.moveTo(next);
            branchRuns.note(decide(true));
        }
    }

    /// When the engine is woken that wants to be woken now: later each time it decides nothing.
    Instant later(Instant now) {
        return now.plus(TICK.multipliedBy(1L << Math.min(idleWakes, MOST_DOUBLINGS)));
    }

    // Both.

    private List<Event> decide(boolean turns) {
        CycleResult cycleResult = turns ? driver.decide() : driver.conclude();
        List<Event> decided = cycleResult.events();
        decisions += decided.size();
        idleWakes = decided.isEmpty() ? idleWakes + 1 : 0;
        return decided;
    }

    /// Records what happened.
    void record(Event event) {
        branchRuns.before(event);
        driver.record(event);
        listener.accept(event);
    }

    /// Hears something asked or told; what it leads to is recorded. False when it is refused.
    boolean hear(Input input) {
        if (!(engine().answer(input, now()) instanceof Answer.Accepted accepted)) {
            return false;
        }
        accepted.events().forEach(this::record);
        branchRuns.note(accepted.events());
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
        boolean plans = schedulerConfig.inForce().predictionSettings().plans();
        if (plans == inForce.inForce().predictionSettings().plans()) {
            return e;
        }
        if (!plans) {
            return with(e.spec().expecting(RuntimeExpectation.NOTHING), e);
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
        inForce = new SchedulerConfig(chosen, inForce.settings());
        if (whatIfQuestion.policy().isEmpty()) {
            schedulerConfig = inForce.with("", whatIfQuestion.placer());
            record(e);
        } else {
            followsWakes = true;
        }
    }

    /// Another scheduler goes on with the same journal, perhaps with other settings.
    void takesCharge(Event.EngineStarted e) {
        SchedulerConfig recorded = ways.of(e.fingerprint());
        if (recorded != null) {
            inForce =
                    chosen.isEmpty() ? recorded : new SchedulerConfig(chosen, recorded.settings());
        }
        SchedulerConfig next = inForce.with(whatIfQuestion.policy(), whatIfQuestion.placer());
        if (!next.equals(schedulerConfig)) {
            schedulerConfig = next;
            Engine restored =
                    Engine.restore(
                            engine().image(),
                            engine().learner().image(),
                            schedulerConfig.toPolicy(),
                            schedulerConfig.settings());
            driver.replace(driver.cell().with(restored));
        }
        followsWakes |= !schedulerConfig.equals(inForce);
        record(e);
    }
}
