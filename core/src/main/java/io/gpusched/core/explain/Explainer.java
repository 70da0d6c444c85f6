package io.gpusched.core.explain;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Placement;
import io.gpusched.core.place.Placer;
import io.gpusched.core.place.PreemptionTrial;
import io.gpusched.core.place.RequestText;
import io.gpusched.core.policy.Ranking;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RefusalCount;
import io.gpusched.core.policy.RetryCondition;
import io.gpusched.core.policy.VictimList;
import io.gpusched.core.policy.preempt.LostWork;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Explains the state of a job at one instant: why it waits, what would let it start, the outcome
/// of a submission, and which moves of running jobs would let it start. No decision depends on it.
///
///     new Explainer(engine, now).explain(job-7)   →   waits: 8 nodes full, 2 cordoned; held by …
///
/// No call changes the engine's ledger. Make a new explainer for another instant or after the next
/// event.
public final class Explainer {
    private final Engine engine;
    private final ClusterState state;
    private final Hypothesis hypothesis;
    private final Instant now;

    public Explainer(Engine engine, Instant now) {
        this.engine = engine;
        this.state = engine.state();
        this.hypothesis = new Hypothesis(engine, now);
        this.now = now;
    }

    /// Explains the present state of the job: every reason with its number of nodes, the jobs that
    /// hold the capacity it needs, and changes that would let it start.
    public Explanation explain(JobId id) {
        Job job = state.job(id);
        return job == null ? Explanation.plain(id, "the job is not known", null) : explain(job);
    }

    /// The job need not be in the ledger.
    Explanation explain(Job job) {
        return switch (job.phase()) {
            case Phase.Held held ->
                    plain(job, "held: " + held.why() + "; release it to go on", null);
            case Phase.Waiting waiting -> waiting(job, waiting);
            case Phase.Starting starting ->
                    plain(job, "starting on " + starting.run().on(), starting.run().on());
            case Phase.Running running ->
                    plain(job, "running on " + running.run().on(), running.run().on());
            case Phase.Stopping stopping ->
                    plain(job, "stopping: " + stopping.cause().detail(), stopping.run().on());
            case Phase.Ended ended -> plain(job, "ended: " + ended.outcome().reason(), null);
        };
    }

    private static Explanation plain(Job job, String summary, @Nullable Placement place) {
        return Explanation.plain(job.id(), summary, place);
    }

    /// The outcome of a submission, without accepting it.
    public Preview preview(Command.Submit submit) {
        return switch (engine.answer(submit, now)) {
            case Answer.Rejected rejected -> new Preview.Refused(rejected.problems());
            case Answer.Accepted accepted when accepted.events().isEmpty() ->
                    new Preview.Repeats(Objects.requireNonNull(accepted.job()));
            case Answer.Accepted accepted -> {
                var submitted = (Event.JobSubmitted) accepted.events().getFirst();
                Job job = submitted.entering();
                yield new Preview.Accepted(job, explain(job), accepted.warnings());
            }
        };
    }

    /// Which moves of running jobs would let a waiting job start.
    public DefragmentationAdvice defragment(JobId job) {
        return Defragmenter.advise(hypothesis, lostWork(), job);
    }

    /// The same for the largest waiting job that no gate holds back.
    public DefragmentationAdvice defragment() {
        return Defragmenter.adviseLargest(hypothesis, lostWork());
    }

    private LostWork lostWork() {
        return new LostWork(engine.settings().policy().checkpointEvery());
    }

    /// The reasons why a job waits, without the costlier parts of [#explain]; empty if there are
    /// none or the job does not wait.
    public List<RefusalCount> why(JobId id) {
        Job job = state.job(id);
        if (job == null || !(job.phase() instanceof Phase.Waiting waiting)) {
            return List.of();
        }
        Refusal held = postponed(waiting);
        held = held == null ? hypothesis.gate(job) : held;
        if (held != null) {
            return List.of(new RefusalCount(held, 0));
        }
        return hypothesis.place(job) != null ? List.of() : places(job, false);
    }

    private @Nullable Refusal postponed(Phase.Waiting waiting) {
        Instant due = waiting.notBefore();
        return due != null && due.isAfter(now)
                ? new Refusal(
                        "later", "not tried before " + due, List.of(new RetryCondition.At(due)))
                : null;
    }

    /// The reasons of all nodes; first that no part of the fleet is large enough for tasks that
    /// must be near each other, if so.
    private List<RefusalCount> places(Job job, boolean all) {
        var reasons = new ArrayList<RefusalCount>();
        // Each node says what is wrong with one task, but not that the label is on no other node.
        boolean gang = job.spec().tasks() > 1;
        String never =
                gang || hypothesis.fitsCut(job)
                        ? hypothesis.never(job)
                        : hypothesis.missingLabel(job);
        if (never != null) {
            reasons.add(new RefusalCount(Refusal.untilFleet("fleet", never), 0));
        }
        Refusal spread = hypothesis.tooSpread(job);
        if (spread != null) {
            reasons.add(new RefusalCount(spread, 0));
        }
        reasons.addAll(nodes(job, all));
        return never == null ? reasons : reasons.stream().map(Explainer::untilFleet).toList();
    }

    /// If the whole fleet is too small, no release of capacity helps.
    private static RefusalCount untilFleet(RefusalCount refusalCount) {
        Refusal refusal = refusalCount.refusal();
        return new RefusalCount(
                Refusal.untilFleet(refusal.by(), refusal.why()),
                refusalCount.nodes(),
                List.of(),
                refusalCount.reservedFor());
    }

    private List<RefusalCount> nodes(Job job, boolean all) {
        var reasons = new NodeReasons(state, hypothesis.policy, hypothesis.view(job));
        List<RefusalCount> found = all ? reasons.all(job) : reasons.refusals(job);
        hypothesis.nodeSearch.nodesLookedAt += reasons.nodesLookedAt;
        return found;
    }

    private Explanation waiting(Job job, Phase.Waiting waiting) {
        Refusal held = postponed(waiting);
        held = held == null ? hypothesis.gate(job) : held;
        Claim own = ownClaim(job.id());
        Placer.Found found = hypothesis.place(job);
        if (held == null && found != null) {
            return starts(job, found, own);
        }
        PreemptionTrial.Leaving leaving =
                held == null && !isRoom(own) ? hypothesis.room(job) : null;
        if (leaving != null && !leaving.victims().isEmpty()) {
            return makesRoom(job, leaving, own);
        }
        return waits(job, held, found, own);
    }

    private Explanation starts(Job job, Placer.Found found, @Nullable Claim own) {
        boolean submitted = state.job(job.id()) != null;
        return new Explanation(
                job.id(),
                submitted
                        ? "there is room for it; it starts at its turn" + decidedBy()
                        : "it would start now",
                List.of(),
                List.of(),
                found.terms(),
                reserved(own),
                found.placement(),
                List.of(),
                List.of(),
                List.of());
    }

    private Explanation makesRoom(Job job, PreemptionTrial.Leaving leaving, @Nullable Claim own) {
        return new Explanation(
                job.id(),
                "it would start after stopping "
                        + ChangeSearch.jobs(leaving.victims().size())
                        + " of lower priority",
                nodes(job, true),
                List.of(),
                List.of(),
                reserved(own),
                leaving.placement(),
                leaving.victims().stream().map(Job::id).toList(),
                List.of(),
                List.of());
    }

    private Explanation waits(
            Job job, @Nullable Refusal held, Placer.@Nullable Found found, @Nullable Claim own) {
        var reasons = new ArrayList<RefusalCount>();
        if (held != null) {
            reasons.add(new RefusalCount(held, 0));
        }
        if (found == null) {
            reasons.addAll(places(job, true));
        }
        lead(reasons);
        boolean asked = held == null && !isRoom(own);
        // A job that waits for a time is not blocked by other jobs, and a smaller request would not
        // help it.
        boolean pauses = held != null && held.liftedBy().getFirst() instanceof RetryCondition.At;
        return new Explanation(
                job.id(),
                held != null
                        ? gated(job, held, pauses || found != null)
                        : summary(job, reasons, own),
                reasons,
                asked ? new SparedVictims(hypothesis, job).reasons() : List.of(),
                List.of(),
                reserved(own),
                null,
                List.of(),
                pauses ? List.of() : holders(job, held),
                pauses || isRoom(own) ? List.of() : changes(job, found));
    }

    /// Moves the reason that the summary names to the front.
    private static void lead(List<RefusalCount> reasons) {
        RefusalCount main = RefusalCount.main(reasons);
        if (main != null) {
            reasons.remove(main);
            reasons.addFirst(main);
        }
    }

    /// The reason of a gate and, if nodes refuse the job too, their reason: the last turn may have
    /// met either of them first.
    private String gated(Job job, Refusal held, boolean only) {
        if (only) {
            return held.why();
        }
        String never = hypothesis.never(job);
        return held.why()
                + (never == null ? "; there is also no free place for it now" : "; also, " + never);
    }

    private static @Nullable Instant reserved(@Nullable Claim own) {
        return own != null && own.kind() == Claim.Kind.RESERVATION ? own.from() : null;
    }

    private static boolean isRoom(@Nullable Claim own) {
        return own != null && own.kind() == Claim.Kind.ROOM;
    }

    private List<HeldCapacity> holders(Job job, @Nullable Refusal held) {
        var holderSearch = new HolderSearch(state, hypothesis.nodeSearch, job);
        if (held != null && held.liftedBy().getFirst() instanceof RetryCondition.OfTenant of) {
            return holderSearch.ofQuota(of.tenant());
        }
        return holderSearch.ofCapacity();
    }

    private List<RequestChange> changes(Job job, Placer.@Nullable Found found) {
        var changeSearch = new ChangeSearch(hypothesis, job);
        if (found != null) {
            var raised = new RaisedQuota(state, job.spec());
            ChangeSearch.Words words = raised.words();
            if (words != null && hypothesis.gate(job, raised) == null) {
                changeSearch.add(words, found.placement(), List.of());
            }
        }
        return changeSearch.smallest();
    }

    private @Nullable Claim ownClaim(JobId job) {
        for (Claim claim : state.claims()) {
            if (claim.isFor(job)) {
                return claim;
            }
        }
        return null;
    }

    private String summary(Job job, List<RefusalCount> reasons, @Nullable Claim own) {
        if (own != null && own.kind() == Claim.Kind.ROOM) {
            int victims = VictimList.read(own.reason()).count();
            NodeId on = own.slots().getFirst().node();
            return victims == 0
                    ? "it gets the room on " + on + " that others are leaving"
                    : "room is being made on " + on + " by stopping " + ChangeSearch.jobs(victims);
        }
        if (state.nodes().all().isEmpty()) {
            return "no nodes have joined; start an agent";
        }
        RefusalCount main = RefusalCount.main(reasons);
        return "waits for "
                + RequestText.words(job.spec())
                + decidedBy()
                + ": "
                + (main == null ? "no place for all tasks at once" : main.why() + remedy(main));
    }

    /// Names the model that decides which job takes the next turn, if one does.
    private String decidedBy() {
        Ranking ranking = hypothesis.policy.ranking();
        return ranking == null ? "" : " in the order of model " + ranking.model();
    }

    /// A command that would help, if there is one.
    private static String remedy(RefusalCount refusalCount) {
        boolean opens = refusalCount.refusal().liftedBy().contains(new RetryCondition.Opened());
        return opens ? "; an administrator opens it with " + refusalCount.lifts().getFirst() : "";
    }
}
