package io.gpusched.core.engine;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.learn.Learner;
import io.gpusched.core.learn.LearnerImage;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.StopCause;
import io.gpusched.core.place.NodeSearch;
import io.gpusched.core.policy.Backfill;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PreemptiveOrder;
import io.gpusched.core.policy.QueueOrder;
import io.gpusched.core.policy.Ranking;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RefusalCount;
import io.gpusched.core.policy.RetryCondition;
import io.gpusched.core.policy.TurnOutcome;
import io.gpusched.core.policy.UsesModel;
import io.gpusched.core.policy.WeightedScorer;
import io.gpusched.core.queue.WaitClass;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.StateImage;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// The scheduler: answers commands and reports, keeps the ledger, and places waiting jobs in
/// cycles.
///
/// It is a function of its inputs. It never reads a clock and never acts: its decisions are events.
/// One thread owns it.
public final class Engine {
    private static final long SECONDS_PER_MINUTE = 60;

    /// The configured settings, and the settings that result under the policy in force.
    private final EngineSettings asSet;

    private EngineSettings settings;
    private final ClusterState state;
    private final Learner learner;
    private final RuntimeStamper runtimeStamper;
    private final String configured;
    private final TimedDecisions timedDecisions;
    private Policy policy;
    private Cycle.Rules rules;
    private long lastBatch;
    private long lookedElsewhereAt = -1;
    private ConservativeSchedule.Settled settled = new ConservativeSchedule.Settled();
    private QueueOrder inForce;
    private long minute = Long.MIN_VALUE;

    /// Whether the policy uses learned runtimes; then the engine learns whatever the settings say.
    private boolean teaches;

    public Engine(Policy policy, EngineSettings settings) {
        this(
                policy,
                settings,
                new ClusterState(
                        policy.order()::key,
                        settings.assumedRuntime(),
                        settings.fairShareSettings()),
                new Learner());
    }

    private Engine(Policy policy, EngineSettings settings, ClusterState state, Learner learner) {
        this.learner = learner;
        this.runtimeStamper = new RuntimeStamper(learner, settings.predictionSettings().planned());
        this.configured = policy.name();
        this.policy = policy;
        this.inForce = policy.order();
        this.asSet = settings;
        this.settings = settings.under(policy.name());
        this.state = state;
        this.timedDecisions = new TimedDecisions(state, settings);
        this.rules = Cycle.Rules.of(state, policy, settings.topologyLevels());
        configureForPolicy();
        if (!policy.goesByLength() || policy.ranking() != null) {
            state.reorder(inForce::key, policy.goesByLength());
        }
    }

    /// An engine in the state of the image, which has learned nothing.
    public static Engine restore(StateImage image, Policy policy, EngineSettings settings) {
        return restore(image, LearnerImage.NOTHING, policy, settings);
    }

    /// An engine in the state of the images.
    public static Engine restore(
            StateImage image, LearnerImage learned, Policy policy, EngineSettings settings) {
        return restore(image, Learner.restored(learned), policy, settings);
    }

    /// An engine in the state of the image, with this learner.
    public static Engine restore(
            StateImage image, Learner learner, Policy policy, EngineSettings settings) {
        var state =
                ClusterState.restored(
                        image,
                        policy.order()::key,
                        settings.assumedRuntime(),
                        settings.fairShareSettings());
        var engine = new Engine(policy, settings, state, learner);
        engine.lastBatch = image.batch();
        engine.followRecordedPolicy();
        return engine;
    }

    /// The whole ledger as a value; what was learned is in the image of [#learner].
    public StateImage image() {
        return StateImage.of(state, lastBatch);
    }

    public ClusterState state() {
        return state;
    }

    /// What the engine has learned from ended runs.
    public Learner learner() {
        return learner;
    }

    public Policy policy() {
        return policy;
    }

    /// The order of the queue as of the last batch or cycle. The policy's own order has no time, so
    /// its keys differ from these where jobs overtake each other while they wait.
    public QueueOrder order() {
        return inForce;
    }

    public long lastBatch() {
        return lastBatch;
    }

    public long digest() {
        return state.digest() ^ learner.digest();
    }

    /// The answer to an input: problems, or the events that record it. Nothing changes yet.
    public Answer answer(Input input, Instant now) {
        return switch (input) {
            case Command command -> answers(now).to(command);
            case Report report -> new ReportHandler(state, settings, now).to(report);
        };
    }

    private CommandHandler answers(Instant now) {
        var policyCommands = new PolicyCommandHandler(state, settings.policy(), policy, configured);
        return new CommandHandler(state, learner, runtimeStamper, settings, policyCommands, now);
    }

    /// Applies an event. Only this changes the engine for good.
    public void apply(Event event) {
        state.apply(event);
        if (settings.predictionSettings().learns() || teaches) {
            learner.apply(event, state);
        } else {
            learner.apply(event);
        }
        if (event instanceof Event.PolicyChanged) {
            followRecordedPolicy();
        }
    }

    /// Applies a decision to the ledger during a cycle. The learner ignores decisions.
    private void applyDecided(Event event) {
        state.apply(event);
        if (event instanceof Event.PolicyChanged) {
            followRecordedPolicy();
        }
    }

    /// Applies a whole batch of the journal, and checks that the digest is the recorded one.
    public void apply(Batch batch) {
        Check.that(
                batch.number() == lastBatch + 1,
                "batch %s comes after batch %s",
                batch.number(),
                lastBatch);
        batch.facts().forEach(this::apply);
        batch.decided().forEach(this::applyDecided);
        sortAsOf(batch.at());
        Check.that(
                batch.digest() == digest(),
                "batch %s leads to digest %s, it was recorded as %s",
                batch.number(),
                Long.toHexString(digest()),
                Long.toHexString(batch.digest()));
        concluded(batch.number());
    }

    /// Notes that everything applied since is batch `number`.
    public void concluded(long number) {
        Check.that(number == lastBatch + 1, "batch %s after %s", number, lastBatch);
        lastBatch = number;
        timedDecisions.concluded();
    }

    private void followRecordedPolicy() {
        if (state.policy().isEmpty() || state.policy().equals(policy.name())) {
            return;
        }
        policy = Policies.recorded(state.policy(), settings.policy());
        settings = asSet.under(policy.name());
        lookedElsewhereAt = -1;
        settled = new ConservativeSchedule.Settled();
        rules = Cycle.Rules.of(state, policy, settings.topologyLevels());
        configureForPolicy();
        inForce = policy.order();
        minute = Long.MIN_VALUE;
        state.reorder(inForce::key, policy.goesByLength());
    }

    /// Under an order that changes with time, the queue is sorted as of the last full minute: that
    /// is often enough, and the order then follows from the time alone.
    private void sortAsOf(Instant now) {
        long current = Math.floorDiv(now.getEpochSecond(), SECONDS_PER_MINUTE);
        if (current == minute) {
            return;
        }
        minute = current;
        QueueOrder next = policy.order().at(Instant.ofEpochSecond(current * SECONDS_PER_MINUTE));
        if (!next.equals(inForce)) {
            inForce = next;
            state.reorder(next::key, policy.goesByLength());
        }
    }

    private void configureForPolicy() {
        teaches = false;
        for (WeightedScorer weightedScorer : policy.scorers()) {
            if (weightedScorer.scorer() instanceof UsesModel usesModel) {
                usesModel.teach(learner.model());
                teaches = true;
            }
        }
        state.labelsMatterToAll(!settings.policy().plugins().filters().isEmpty());
        state.queue().byTenant(policy.order().byTenant());
        state.queue().preemptByOrder(policy.order() instanceof PreemptiveOrder);
        state.queue().ranked(policy.ranking() != null);
        state.queue()
                .byAge(policy.order().reservesForOldest() && policy.backfill() == Backfill.RESERVE);
    }

    /// Begins a cycle: handles deadlines that have passed, and wakes classes that could fit now.
    public Cycle begin(Instant now) {
        sortAsOf(now);
        state.queue().begins(now);
        var cycle = new Cycle(state, rules, settings.assumedRuntime(), now);
        for (Job late = state.deadlines().ring(now);
                late != null;
                late = state.deadlines().ring(now)) {
            overdue(late, cycle);
        }
        Expirations.record(state, cycle);
        timedDecisions.run(cycle, this);
        cycle.claims().prune();
        if (policy.backfill() != Backfill.CONSERVATIVE) {
            cycle.claims().leaveAtMost(policy.backfill() == Backfill.RESERVE ? 1 : 0);
        }
        if (settings.wakeEverything()) {
            state.wakeEverything(now);
        } else {
            state.wake(now);
        }
        return cycle;
    }

    /// Tries waiting jobs until no job is left that could get another answer.
    public void takeTurns(Cycle cycle) {
        cycle.settleClaims();
        if (settings.policy().placement().together() && goesByWhatWasLearned()) {
            cycle.planTogether(learner.model());
        }
        if (policy.backfill() == Backfill.CONSERVATIVE) {
            takePlannedTurns(cycle);
            return;
        }
        if (policy.ranking() != null) {
            takeRankedTurns(cycle, policy.ranking());
            return;
        }
        while (!cycle.isWindowFull()) {
            WaitClass blocked = firstBlocked(cycle);
            if (policy.backfill() == Backfill.RESERVE
                    && blocked != null
                    && !cycle.hasReservation()) {
                state.queue().wake(blocked);
            }
            WaitClass oldest = state.queue().oldest();
            if (oldest != null && (oldest.isAwake() || !cycle.hasReservation())) {
                rest(oldest, cycle.attempt(new JobId(oldest.head())), cycle);
                continue;
            }
            WaitClass next = state.queue().first();
            Job inRoom = mayHaveRoomElsewhere() ? cycle.firstInRoom() : null;
            if (inRoom != null && (next == null || state.queue().goesBefore(inRoom, head(next)))) {
                if (mustNotPass(inRoom, blocked)) {
                    return;
                }
                cycle.lookElsewhere(inRoom);
            } else if (next == null || mustNotPass(head(next), blocked)) {
                lookedElsewhereAt = inRoom == null ? state.nodes().growth() : lookedElsewhereAt;
                return;
            } else {
                rest(next, cycle.attempt(new JobId(next.head())), cycle);
            }
        }
    }

    /// Under conservative backfill all jobs near the head of the queue take their turns first,
    /// awake or not, because each has a reservation. The jobs behind them follow.
    private void takePlannedTurns(Cycle cycle) {
        Job inRoom = mayHaveRoomElsewhere() ? cycle.firstInRoom() : null;
        for (; inRoom != null; inRoom = cycle.firstInRoom()) {
            cycle.lookElsewhere(inRoom);
        }
        lookedElsewhereAt = state.nodes().growth();
        cycle.keepSchedule(settled);
        WaitClass next = state.queue().first();
        for (; next != null && !cycle.isWindowFull(); next = state.queue().first()) {
            var head = new JobId(next.head());
            TurnOutcome scheduled = cycle.scheduled(head);
            rest(next, scheduled == null ? cycle.attempt(head) : scheduled, cycle);
        }
    }

    /// Where a model orders the queue, a job for which others are being preempted had its turn
    /// already: it is tried elsewhere before all jobs but those that the model may not overtake.
    private void takeRankedTurns(Cycle cycle, Ranking ranking) {
        var turns = new RankedTurns(state, ranking, cycle);
        while (!cycle.isWindowFull()) {
            Job inRoom = mayHaveRoomElsewhere() ? cycle.firstInRoom() : null;
            WaitClass next = turns.next();
            if (inRoom != null && (next == null || !turns.isAhead(next, inRoom))) {
                cycle.lookElsewhere(inRoom);
            } else if (next != null) {
                rest(next, cycle.attempt(new JobId(next.head())), cycle);
            } else {
                lookedElsewhereAt = state.nodes().growth();
                return;
            }
        }
    }

    private boolean goesByWhatWasLearned() {
        return policy.breadth() == Policy.EVERY_NODE
                && policy.scorers().stream().anyMatch(w -> w.scorer() instanceof UsesModel);
    }

    /// Whether a job for which others are being preempted could fit elsewhere by now. It did not at
    /// the last search, and cannot unless some node has more free capacity since.
    private boolean mayHaveRoomElsewhere() {
        return state.nodes().growth() != lookedElsewhereAt;
    }

    private Job head(WaitClass one) {
        return Objects.requireNonNull(state.job(new JobId(one.head())));
    }

    /// The first class in the queue that waits for capacity. Under a strict policy the gates are
    /// asked again: a job that a quota holds back by now must not block the jobs behind it.
    private @Nullable WaitClass firstBlocked(Cycle cycle) {
        WaitClass blocked = state.queue().firstBlocked();
        while (blocked != null && policy.backfill() == Backfill.STRICT) {
            Refusal held = cycle.gate(head(blocked));
            if (held == null) {
                return blocked;
            }
            rest(blocked, new TurnOutcome.Waits(List.of(new RefusalCount(held, 0)), null), cycle);
            WaitClass next = state.queue().firstBlocked();
            blocked = next == blocked ? null : next;
        }
        return blocked;
    }

    private boolean mustNotPass(Job next, @Nullable WaitClass blocked) {
        return policy.backfill() == Backfill.STRICT
                && blocked != null
                && state.queue().goesBefore(head(blocked), next);
    }

    /// Puts the class of a refused head to rest until the reason of the refusal may have changed.
    private void rest(WaitClass tried, TurnOutcome turnOutcome, Cycle cycle) {
        if (!(turnOutcome instanceof TurnOutcome.Waits waits) || cycle.isWindowFull()) {
            return;
        }
        RetryCondition retryCondition = waits.because().getFirst().refusal().liftedBy().getFirst();
        switch (retryCondition) {
            case RetryCondition.OfTenant of ->
                    state.queue().restUntilTenantChanges(tried, of.tenant());
            case RetryCondition.At at -> state.queue().restUntil(tried, at.when());
            case RetryCondition.Started _ -> {}
            case RetryCondition.Capacity _, RetryCondition.Cooled _ ->
                    restUntilCapacity(tried, waits, cycle);
            case RetryCondition.Opened _,
                    RetryCondition.Heard _,
                    RetryCondition.Changed _,
                    RetryCondition.Fleet _ ->
                    state.queue().restUntilFleetChanges(tried);
        }
    }

    /// A head that could have had the reservation and got none is hopeless: it would not fit even
    /// if running jobs ended.
    private void restUntilCapacity(WaitClass tried, TurnOutcome.Waits waits, Cycle cycle) {
        Job head = head(tried);
        boolean hopeless =
                policy.mayReserve(head, cycle.now())
                        && waits.reserved() == null
                        && cycle.claims().isAheadOfReservation(head);
        state.queue().restUntilCapacity(tried, hopeless);
        Instant over = cycle.nextVictim(head);
        if (policy.ranking() != null && !policy.ranking().starves(head, cycle.now())) {
            over = Instants.earlier(over, policy.ranking().starvesAt(head));
        }
        if (over != null) {
            state.queue().atTheLatest(tried, over);
        }
    }

    private void overdue(Job job, Cycle cycle) {
        Run run = Objects.requireNonNull(job.phase().run());
        switch (job.phase()) {
            case Phase.Starting starting ->
                    cycle.record(
                            new Event.AttemptStopping(
                                    cycle.now(),
                                    run.id(),
                                    new StopCause(
                                            StopCause.Kind.START_FAILED,
                                            "not all tasks were ready in time")));
            case Phase.Stopping stopping ->
                    UnstoppableTasks.mark(state, job, run, cycle.now()).forEach(cycle::record);
            case Phase.Held _, Phase.Waiting _, Phase.Running _, Phase.Ended _ -> {}
        }
    }

    /// The next time at which the engine must run without an input; null if there is none.
    public @Nullable Instant wakeAfter(Instant now) {
        Instant timed = Instants.earlier(nextPassing(), timedDecisions.next());
        Instant due = Instants.earlier(state.nextDue(), timed);
        return due == null || due.isAfter(now) ? due : now;
    }

    /// Under a strict policy, time alone may change which job is first. A job is blocked only after
    /// a cycle, and then the minute is known.
    private @Nullable Instant nextPassing() {
        if (policy.backfill() != Backfill.STRICT
                || state.queue().firstBlocked() == null
                || state.queue().classes() == 1) {
            return null;
        }
        Instant next = Instant.ofEpochSecond((minute + 1) * SECONDS_PER_MINUTE);
        return policy.order().at(next).equals(inForce) ? null : next;
    }

    /// What is decided because time has passed; a forecast switches it off.
    public TimedDecisions timedDecisions() {
        return timedDecisions;
    }

    /// The settings that result under the policy in force.
    public EngineSettings settings() {
        return settings;
    }

    /// The search for nodes under the policy in force, with what it remembers of earlier searches.
    /// An explanation uses it too, so that it finds what a turn would find.
    public NodeSearch nodeSearch() {
        return rules.nodeSearch();
    }

    /// Nodes looked at so far, in deciding and in explaining.
    public long nodesLookedAt() {
        return rules.nodeSearch().nodesLookedAt;
    }
}
