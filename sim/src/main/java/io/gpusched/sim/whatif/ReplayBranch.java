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
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/// Replays recorded batches one by one and decides every cycle again.
///
/// While each cycle decides what was recorded, the branch applies the recorded facts. The first
/// cycle that decides something else ends this part. From then on the branch simulates runs itself
/// ([BranchRuns]) and takes from the journal only the facts that do not depend on decisions
/// ([ExogenousEvents]).
///
/// Both parts use the production cell and the [Driver] of every simulation; only the source of the
/// reports about runs differs. One thread owns a branch.
public final class ReplayBranch {
    private static final Duration TICK = Duration.ofMillis(1);

    /// The distance between consecutive wake-ups without a decision doubles, up to 2^16 ticks.
    private static final int MOST_DOUBLINGS = 16;

    private final WhatIfQuestion whatIfQuestion;
    private final SchedulerConfig.Known ways;
    private final Consumer<Event> listener;
    private final BranchRuns branchRuns;
    private final ExogenousEvents exogenousEvents;
    private final Driver driver;
    private final SequencedSet<PoolId> pools = new TreeSet<>();
    private SchedulerConfig inForce;
    private SchedulerConfig schedulerConfig;

    /// The policy that a command chose in the journal, which overrides the configured one; empty if
    /// no command did.
    private String chosen;

    /// Whether the policy or settings differ from the recorded ones, so that the engine must run at
    /// every time it asks for, and not only at the recorded times.
    private boolean followsWakes;

    private @Nullable DecisionDifference parted;
    private long lastBatch;
    private long decisions;
    private int idleWakes;

    /// @param engine the engine in the state from which the branch decides; the branch owns it
    /// @param inForce the configuration that was in force there; the engine already has the new one
    /// @param ways reads the configurations that later schedulers recorded in the same journal
    /// @param saved the work that running jobs have saved in earlier runs
    /// @param listener receives every event of this branch
    /// @param rounds receives every cycle of the branch with the inputs before it
    ReplayBranch(
            Engine engine,
            WhatIfQuestion whatIfQuestion,
            SchedulerConfig inForce,
            SchedulerConfig.Known ways,
            RecordedRuntimes recordedRuntimes,
            Map<JobId, Duration> saved,
            Consumer<Event> listener,
            Listener rounds) {
        this.whatIfQuestion = whatIfQuestion;
        this.inForce = inForce;
        this.chosen = engine.state().policy();
        this.schedulerConfig = inForce.with(whatIfQuestion.policy(), whatIfQuestion.placer());
        this.ways = ways;
        this.listener = listener;
        this.branchRuns = new BranchRuns(this, recordedRuntimes, saved);
        this.exogenousEvents = new ExogenousEvents(this);
        Instant start = engine.state().lastAt();
        this.driver = new Driver(Cell.detached(engine, told(rounds)), branchRuns, start);
        this.lastBatch = engine.lastBatch();
        engine.state().pools().all().forEach(entry -> pools.add(entry.id()));
        this.followsWakes = !schedulerConfig.equals(inForce);
        if (!whatIfQuestion.policy().isEmpty() && !isInForce(whatIfQuestion.policy())) {
            record(new Event.PolicyChanged(start, whatIfQuestion.policy(), "what-if"));
        }
    }

    private boolean isInForce(String policy) {
        return state().policy().isEmpty() || state().policy().equals(policy);
    }

    /// Passes only decisions to the listener, because it has received the facts already.
    private Listener told(Listener rounds) {
        return (batch, cycleResult) -> {
            batch.decided().forEach(listener);
            rounds.concluded(batch, cycleResult);
        };
    }

    /// Applies the next recorded batch. Returns false if a run in progress may end earlier and its
    /// end is not known yet; the caller tries again when more of the journal is known.
    public boolean follow(Batch batch) {
        if (parted == null && followsWakes) {
            wakeBefore(batch.at());
        }
        boolean done = parted == null ? alongside(batch) : apart(batch);
        lastBatch = done ? batch.number() : lastBatch;
        return done;
    }

    /// Continues to `end`, after the last batch.
    public boolean finish(Instant end) {
        return parted == null || goTo(end);
    }

    /// The first cycle that decided something else; null if there was none.
    public @Nullable DecisionDifference parted() {
        return parted;
    }

    /// The number of decisions so far.
    public long decisions() {
        return decisions;
    }

    /// The number of runs whose true runtime is not known and that ended after the predicted
    /// runtime.
    public long guesses() {
        return branchRuns.guesses();
    }

    /// The names of the pools that there were. They keep their recorded sizes.
    List<String> pools() {
        return pools.stream().map(PoolId::name).toList();
    }

    public Instant now() {
        return driver.now();
    }

    /// How often jobs that save their work do so.
    Duration savedEvery() {
        return schedulerConfig.settings().policy().checkpointEvery();
    }

    /// What the learner of this branch has learned.
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
        List<Event> recorded = batch.decided();
        if (followsWakes) {
            engine().timedDecisions().keepPools();
            RecordedScaling.of(recorded).forEach(this::record);
            recorded = RecordedScaling.without(recorded);
        }
        List<Event> decided = decide(hasTurns(batch));
        boolean strayed = !followsWakes && engine().digest() != batch.digest();
        if (strayed || !DecisionDifference.isNone(recorded, decided)) {
            part(batch.number(), recorded, decided);
        }
        return true;
    }

    /// A scheduler that takes charge tries no job in the same cycle.
    private static boolean hasTurns(Batch batch) {
        return batch.facts().stream().noneMatch(fact -> fact instanceof Event.EngineStarted);
    }

    private void wakeBefore(Instant end) {
        for (Instant wake = driver.next();
                parted == null && wake != null && wake.isBefore(end);
                wake = driver.next()) {
            driver.moveTo(wake);
            engine().timedDecisions().keepPools();
            List<Event> decided = decide(true);
            if (!decided.isEmpty()) {
                part(lastBatch, List.of(), decided);
            }
        }
    }

    private void part(long batch, List<Event> recorded, List<Event> otherwise) {
        parted = DecisionDifference.of(batch, now(), recorded, otherwise);
        engine().timedDecisions().keepPools();
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
        for (Event scaled : RecordedScaling.of(batch.decided())) {
            exogenousEvents.tell(scaled, batch);
        }
        branchRuns.note(decide(true));
        return true;
    }

    /// Simulates everything before `end`; returns false if the next end of a run is not known yet.
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

    /// The time of the next wake-up of an engine that asks for one now: later after each cycle that
    /// decides nothing.
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

    /// Applies and records facts.
    void record(Event event) {
        if (event instanceof Event.PoolPut put) {
            pools.add(put.pool().id());
        }
        branchRuns.before(event);
        driver.record(event);
        listener.accept(event);
    }

    /// Passes an input to the engine and records the resulting events. Returns false if the engine
    /// refuses it.
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

    /// The submission as this scheduler would have recorded it: the runtime expectation depends on
    /// whether the scheduler plans with predictions, which the recorded one may not have done.
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

    /// A policy that the what-if names stays in force; later changes of policy in the journal are
    /// ignored.
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

    /// Another scheduler process takes over the same journal, perhaps with other settings.
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
            if (parted != null) {
                restored.timedDecisions().keepPools();
            }
        }
        followsWakes |= !schedulerConfig.equals(inForce);
        record(e);
    }
}
