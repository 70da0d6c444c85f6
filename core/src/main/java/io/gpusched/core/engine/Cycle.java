package io.gpusched.core.engine;

import io.gpusched.core.event.Event;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Proximity;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.StopCause;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.TopologyLevels;
import io.gpusched.core.place.CapacityTimeline;
import io.gpusched.core.place.Claims;
import io.gpusched.core.place.NodeSearch;
import io.gpusched.core.place.Placer;
import io.gpusched.core.place.PreemptionTrial;
import io.gpusched.core.place.ReservationPlanner;
import io.gpusched.core.policy.Backfill;
import io.gpusched.core.policy.Gate;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PreemptiveOrder;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RefusalCount;
import io.gpusched.core.policy.TurnOutcome;
import io.gpusched.core.policy.gate.StartWindow;
import io.gpusched.core.state.CapacityView;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;

/// One scheduling cycle: the decisions of one instant.
///
/// [#attempt] gives one job its turn: gates, then free nodes, then preemption, then a reservation;
/// the first that works decides. Every decision is applied at once, so that the next turn sees it.
public final class Cycle {
    /// Jobs with the same need and the same planned time get the same answer until capacity is
    /// released.
    private record Need(List<Role> roles, List<Proximity> near, Duration length, boolean first) {}

    /// A need for which preemption found no victims: a job of no higher rank need not ask again
    /// until capacity is released.
    private record NoRoom(Need need, TenantId tenant) {}

    private static final Refusal NO_PLACE =
            Refusal.untilCapacity("capacity", "no free place for all of its tasks now");

    private static final Refusal NO_SUCH_NODE =
            Refusal.untilFleet("no-such-node", "no node could ever take one of its tasks");

    private final ClusterState state;
    private final Policy policy;
    private final NodeSearch nodeSearch;
    private final LeaveTimes leaveTimes;
    private final Placer placer;
    private final Instant now;
    private final Claims claims;
    private final PreemptionTimes preemptionTimes;
    private final List<Event> events = new ArrayList<>();
    private final SequencedMap<JobId, TurnOutcome> attempts = new LinkedHashMap<>();
    private final Set<Need> refused = new LinkedHashSet<>();
    private final Map<NoRoom, Long> noRoom = new LinkedHashMap<>();
    private final ArrayDeque<Job> inRoom = new ArrayDeque<>();
    private final Duration assumed;
    private final boolean byLength;
    private final @Nullable ConservativeSchedule conservativeSchedule;
    private final long lookedAtBefore;
    private final long scoredBefore;
    private long turns;
    private long rankings;
    private long invalidRankings;
    private long lending;
    private boolean windowFull;

    /// The policy in force, and its caches that last from cycle to cycle.
    ///
    /// @param byLength whether the policy goes by the length of jobs
    record Rules(Policy policy, NodeSearch nodeSearch, LeaveTimes leaveTimes, boolean byLength) {
        static Rules of(ClusterState state, Policy policy, TopologyLevels topologyLevels) {
            return new Rules(
                    policy,
                    new NodeSearch(state, policy, topologyLevels),
                    new LeaveTimes(state, policy.preemptor()),
                    policy.goesByLength());
        }
    }

    Cycle(ClusterState state, Rules rules, Duration assumed, Instant now) {
        this.state = state;
        this.policy = rules.policy;
        this.nodeSearch = rules.nodeSearch;
        this.leaveTimes = rules.leaveTimes;
        this.placer = new Placer(state, nodeSearch);
        this.assumed = assumed;
        this.byLength = rules.byLength;
        this.now = now;
        this.claims = new Claims(state, this::record, now);
        this.preemptionTimes = new PreemptionTimes(state, policy, now);
        this.conservativeSchedule =
                policy.backfill() == Backfill.CONSERVATIVE ? conservativeSchedule() : null;
        this.lookedAtBefore = nodeSearch.nodesLookedAt;
        this.scoredBefore = nodeSearch.candidatesScored;
    }

    private ConservativeSchedule conservativeSchedule() {
        return new ConservativeSchedule(
                this, state, placer, claims, new CapacityTimeline(state, assumed, now));
    }

    public Instant now() {
        return now;
    }

    NodeSearch nodeSearch() {
        return nodeSearch;
    }

    public ClusterView cluster() {
        return state;
    }

    /// Places jobs whose victims have stopped, and drops the claims of jobs that a gate holds back:
    /// these could not use them.
    void settleClaims() {
        stopOutOfTurn();
        settleEach();
        queueInRoom();
    }

    private void settleEach() {
        for (Claim claim : state.claims()) {
            Job job =
                    claim.claimHolder() instanceof ClaimHolder.OfJob of
                            ? state.job(of.job())
                            : null;
            if (job == null || !claims.stands(claim)) {
                continue;
            }
            Refusal held = gate(job);
            if (held != null) {
                drop(claim, held.why());
            } else if (claim.kind() == Claim.Kind.ROOM) {
                settle(claim, job);
            }
        }
    }

    /// Starts the job on the GPUs that were preempted for it, if they are free now.
    private void settle(Claim claim, Job job) {
        var view = CapacityView.of(state, job.id(), Instant.MAX, true);
        if (claims.canTake(claim.slots(), view)) {
            Placer.Found found = placer.in(claim.slots(), job, view);
            attempts.put(job.id(), start(job, found, conservativeSchedule == null, claim.reason()));
        }
    }

    /// Assigns GPU models to the first jobs of the queue at once; see [BatchAssignment].
    void planTogether(RuntimeModel model) {
        var batchAssignment = new BatchAssignment(nodeSearch, model);
        for (Job job : state.queue().firstJobs(BatchAssignment.MOST)) {
            if (BatchAssignment.suits(job) && gate(job) == null) {
                batchAssignment.add(job, view(job, isFirst(job)));
            }
        }
        nodeSearch.place(batchAssignment.plan());
    }

    /// Whether the job may use the capacity of the reservation.
    private boolean isFirst(Job job) {
        return conservativeSchedule == null && claims.isAheadOfReservation(job);
    }

    /// The capacity that the job may use.
    private CapacityView view(Job job, boolean first) {
        return conservativeSchedule != null
                ? conservativeSchedule.view(job)
                : CapacityView.of(state, job.id(), now.plus(length(job)), first);
    }

    /// Tries again elsewhere every job for which other jobs are being preempted.
    private void queueInRoom() {
        var jobs = new ArrayList<Job>();
        for (Claim claim : state.claims()) {
            if (claim.kind() == Claim.Kind.ROOM
                    && claim.claimHolder() instanceof ClaimHolder.OfJob of) {
                jobs.add(Objects.requireNonNull(state.job(of.job())));
            }
        }
        jobs.sort((a, b) -> a.equals(b) ? 0 : state.queue().goesBefore(a, b) ? -1 : 1);
        inRoom.clear();
        inRoom.addAll(jobs);
    }

    /// The first job of the queue for which others are being preempted and that has not been tried
    /// elsewhere yet; null when all have.
    @Nullable Job firstInRoom() {
        return inRoom.peekFirst();
    }

    /// Other jobs are being preempted for the job. If it fits elsewhere by now, it starts there,
    /// and any job may use the capacity that preemption frees.
    void lookElsewhere(Job job) {
        inRoom.removeFirst();
        turns++;
        boolean first = isFirst(job);
        Placer.Found found = placer.find(job, view(job, first));
        if (found != null) {
            attempts.put(job.id(), start(job, found, first));
        }
    }

    /// Tries one waiting job and records the outcome.
    public TurnOutcome attempt(JobId id) {
        Job job = Objects.requireNonNull(state.job(id));
        return tried(job, decide(job));
    }

    /// Records the outcome of a job's turn.
    TurnOutcome tried(Job job, TurnOutcome turnOutcome) {
        turns++;
        attempts.put(job.id(), turnOutcome);
        return turnOutcome;
    }

    private TurnOutcome decide(Job job) {
        Refusal held = hold(job);
        if (held != null) {
            return new TurnOutcome.Waits(List.of(new RefusalCount(held, 0)), null);
        }
        boolean first = isFirst(job);
        CapacityView view = view(job, first);
        Need need = need(job, first);
        boolean sure = claims.reservationIsFor(job);
        Placer.Found found = !sure && refused.contains(need) ? null : placer.find(job, view);
        if (found != null) {
            return start(job, found, first);
        }
        refused.add(need);
        TurnOutcome room = makeRoom(job, need, view);
        return room != null ? room : waits(reserve(job, view));
    }

    /// Without a reservation all lengths get the same answer.
    private Need need(Job job, boolean first) {
        boolean matters = byLength && (conservativeSchedule != null || claims.hasReservation());
        Duration length = matters ? length(job) : Duration.ZERO;
        return new Need(job.spec().roles(), job.spec().near(), length, first);
    }

    /// The job waits for capacity, and has a reservation from then on or none.
    static TurnOutcome waits(@Nullable Instant reserved) {
        return new TurnOutcome.Waits(List.of(new RefusalCount(NO_PLACE, 0)), reserved);
    }

    /// Gives every job near the head of the queue its turn under conservative backfill, but only if
    /// an event was recorded at this instant. So events decide when reservations change, and not
    /// how often the scheduler wakes.
    void keepSchedule(ConservativeSchedule.Settled settled) {
        if (conservativeSchedule != null && state.lastAt().equals(now)) {
            conservativeSchedule.keep(settled);
            freed();
        }
    }

    /// The outcome of the job's turn in [#keepSchedule]; null if it was too far behind to have one.
    @Nullable TurnOutcome scheduled(JobId job) {
        return conservativeSchedule == null ? null : conservativeSchedule.of(job);
    }

    /// The refusal of a gate, whatever is free; null if no gate refuses the job.
    @Nullable Refusal hold(Job job) {
        Refusal held = gate(job);
        return held == null && !placer.couldEver(job) ? noSuchNode(job) : held;
    }

    private Refusal noSuchNode(Job job) {
        String why = nodeSearch.whenIdle().why(job.spec());
        return why == null ? NO_SUCH_NODE : Refusal.untilFleet(NO_SUCH_NODE.by(), why);
    }

    /// Starts the job there and drops its claims. If it `overtakes` the holders of other claims, it
    /// drops the claims whose capacity it took.
    TurnOutcome start(Job job, Placer.Found found, boolean overtakes) {
        return start(job, found, overtakes, "");
    }

    /// Whether no further job starts now, because agents have not taken up earlier starts. The job
    /// whose turn it is keeps it.
    boolean isWindowFull() {
        return windowFull || state.openStarts().allFull() != null;
    }

    /// @param room why the placement was kept for the job; empty if none was
    private TurnOutcome start(Job job, Placer.Found found, boolean overtakes, String room) {
        Refusal later = StartWindow.refuse(state.openStarts(), found.placement());
        if (later != null) {
            windowFull = true;
            return new TurnOutcome.Waits(List.of(new RefusalCount(later, 0)), null);
        }
        claims.dropFor(job, found.placement(), overtakes);
        freed();
        place(job, found, room);
        return new TurnOutcome.Placed(found.placement(), found.terms());
    }

    /// Preempts running jobs for a job that does not fit into the free capacity.
    ///
    /// @param view the capacity that the job may use
    @Nullable TurnOutcome makeRoom(Job job, CapacityView view) {
        return makeRoom(job, need(job, false), view);
    }

    /// The refusal of a gate, whatever the state of the nodes; null if no gate refuses the job.
    @Nullable Refusal gate(Job job) {
        for (Gate gate : policy.gates()) {
            Refusal refusal = gate.refuse(job, state, now);
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    private void place(Job job, Placer.Found found, String room) {
        var attempt = new AttemptId(job.id(), job.attempts() + 1, state.term());
        String terms = nodeSearch.written(found.terms());
        String because = terms.isEmpty() || room.isEmpty() ? terms + room : terms + "; " + room;
        record(new Event.AttemptPlaced(now, attempt, found.placement(), because));
        leaveTimes.placed(Objects.requireNonNull(state.job(job.id())), now);
    }

    private @Nullable TurnOutcome makeRoom(Job job, Need need, CapacityView view) {
        // Says nothing of other jobs with the same need.
        if (state.pools().wouldBeWarm(job, state.claims())) {
            return null;
        }
        if (state.queue().lending() != lending) {
            lending = state.queue().lending();
            noRoom.clear();
        }
        var request = new NoRoom(need, job.tenant());
        long rank = policy.preemptor().rank(job);
        if (noRoom.getOrDefault(request, Long.MIN_VALUE) >= rank) {
            return null;
        }
        PreemptionTrial.Leaving leaving =
                PreemptionTrial.find(job, view, policy.preemptor(), placer, now);
        if (leaving == null) {
            noRoom.put(request, rank);
            return null;
        }
        claims.dropFor(job, leaving.placement(), need.first);
        claims.makeRoom(job, leaving);
        var victims = new ArrayList<JobId>();
        for (Job victim : leaving.victims()) {
            var cause = new StopCause(StopCause.Kind.PREEMPTED, because(job, victim));
            AttemptId run = Objects.requireNonNull(victim.phase().run()).id();
            record(new Event.AttemptStopping(now, run, cause));
            victims.add(victim.id());
        }
        freed();
        return new TurnOutcome.Preempts(victims, leaving.placement());
    }

    /// When time alone next makes a running job a possible victim of this job; null when never.
    @Nullable Instant nextVictim(Job job) {
        return Instants.earlier(preemptionTimes.first(), leaveTimes.next(job, now));
    }

    /// Stops running jobs whose turn is over in this cycle.
    private void stopOutOfTurn() {
        for (Job job : policy.preemptor().outOfTurn(state, now)) {
            AttemptId run = Objects.requireNonNull(job.phase().run()).id();
            var cause = new StopCause(StopCause.Kind.PREEMPTED, "it is the turn of others");
            record(new Event.AttemptStopping(now, run, cause));
        }
    }

    private String because(Job job, Job victim) {
        if (policy.order() instanceof PreemptiveOrder order) {
            return "made room for " + job.id() + ", which goes first by " + order.name();
        }
        boolean reclaimed = policy.order().byTenant() && !job.tenant().equals(victim.tenant());
        return reclaimed
                ? "borrowed by "
                        + victim.tenant()
                        + " and taken back for "
                        + job.id()
                        + " of "
                        + job.tenant()
                        + ", which is below its guarantee"
                : "made room for " + job.id() + " of priority " + job.priority();
    }

    /// Gives the job the reservation if it is the first job that waits for capacity. Null if the
    /// job has no reservation afterwards.
    private @Nullable Instant reserve(Job job, CapacityView view) {
        if (conservativeSchedule != null) {
            return conservativeSchedule.reservedFrom(job);
        }
        if (!policy.mayReserve(job, now)) {
            return null;
        }
        if (claims.reservationIsFor(job)) {
            return claims.reservedFrom();
        }
        if (!claims.isAheadOfReservation(job)) {
            return null;
        }
        ReservationPlanner.Plan plan = new ReservationPlanner(state, placer).plan(job, view, now);
        if (plan == null) {
            return null;
        }
        claims.reserve(job, plan);
        freed();
        return plan.from();
    }

    /// Capacity was released or claims changed: a job that was refused before may fit now.
    private void freed() {
        if (claims.takeFreed()) {
            refused.clear();
            noRoom.clear();
            state.wake(now);
            queueInRoom();
        }
    }

    private void drop(Claim claim, String why) {
        claims.drop(claim, why);
        freed();
    }

    void record(Event event) {
        state.apply(event);
        events.add(event);
        if (conservativeSchedule != null) {
            conservativeSchedule.hear(event);
        }
    }

    private Duration length(Job job) {
        return job.spec().planned(assumed);
    }

    /// How many events it has recorded so far.
    int recorded() {
        return events.size();
    }

    /// A model has ranked the heads of the queue.
    void ranked(boolean valid) {
        rankings++;
        invalidRankings += valid ? 0 : 1;
    }

    boolean hasReservation() {
        return claims.hasReservation();
    }

    Claims claims() {
        return claims;
    }

    /// Ends the cycle.
    public CycleResult end() {
        nodeSearch.place(new LinkedHashMap<>());
        return new CycleResult(
                now,
                events,
                attempts,
                new CycleResult.Work(
                        turns,
                        nodeSearch.nodesLookedAt - lookedAtBefore,
                        nodeSearch.candidatesScored - scoredBefore,
                        rankings,
                        invalidRankings));
    }
}
