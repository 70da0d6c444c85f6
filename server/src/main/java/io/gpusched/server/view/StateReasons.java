package io.gpusched.server.view;

import io.gpusched.core.forecast.StartEstimate;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RefusalCount;
import io.gpusched.core.policy.VictimList;
import io.gpusched.core.policy.gate.QuotaGate;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Locale;
import java.util.stream.Collectors;

/// Why a job is in its state, in a phrase. Empty where the state says it all.
///
/// This is the one source of the reason: `list`, `get`, `explain` and gRPC all ask it, and show it
/// as [CallerTexts] says, because it may name jobs of other tenants. The phrase
/// of a waiting job is put together when it is asked for, from what the ledger keeps for the job
/// now and what refused it at its last turn. No sentence is stored, so none can outlive what it
/// says.
public final class StateReasons {
    private static final int MOST_REFUSALS = 3;

    private final View view;
    private final LatestTurns latestTurns;
    private final ExpectedStarts starts;
    private final Instant now;

    private StateReasons(View view, LatestTurns latestTurns, ExpectedStarts starts, Instant now) {
        this.view = view;
        this.latestTurns = latestTurns;
        this.starts = starts;
        this.now = now;
    }

    public static StateReasons at(
            View view, LatestTurns latestTurns, StartTimes startTimes, Instant now) {
        var starts = new ExpectedStarts(latestTurns, startTimes, now);
        return new StateReasons(view, latestTurns, starts, now);
    }

    /// The view from which the reasons come.
    public View view() {
        return view;
    }

    /// The expected starts that go with the reasons.
    public ExpectedStarts starts() {
        return starts;
    }

    public String of(Job job) {
        return switch (job.phase()) {
            case Phase.Held held -> held.why().isEmpty() ? "held" : held.why();
            case Phase.Waiting waiting -> waiting(waiting.notBefore(), job);
            case Phase.Starting starting -> whereabouts(starting.run(), view);
            case Phase.Running running -> running(job, running.run(), view);
            case Phase.Stopping stopping -> stopping(stopping, view);
            case Phase.Ended ended -> ended.outcome().reason();
        };
    }

    private String waiting(@Nullable Instant notBefore, Job job) {
        if (notBefore != null && notBefore.isAfter(now)) {
            return "not tried before " + notBefore;
        }
        var parts = new ArrayList<String>();
        KeptCapacity kept = view.kept().get(job.id());
        if (kept != null && !kept.isReservation()) {
            parts.add(room(kept.claim()));
        } else {
            parts.add(refusal(job));
            parts.add(kept == null ? "" : reservation(job, kept));
        }
        boolean lost = job.losses() > 0 && job.stops() == 0;
        parts.add(lost ? "queued again after a lost run" : "");
        parts.removeIf(String::isEmpty);
        return String.join("; ", parts);
    }

    private String refusal(Job job) {
        return latestTurns.refusals(job).stream()
                .limit(MOST_REFUSALS)
                .map(refusalCount -> words(refusalCount, job))
                .collect(Collectors.joining("; "));
    }

    private String words(RefusalCount refusalCount, Job job) {
        Refusal refusal = refusalCount.refusal();
        String why = refusal.by().equals(QuotaGate.NAME) ? QuotaText.now(job, view) : refusal.why();
        String full = RefusalText.of(why, refusalCount, job);
        int nodes = refusalCount.nodes();
        return nodes == 0 ? full : Plurals.of(nodes, "node") + ": " + full;
    }

    private String reservation(Job job, KeptCapacity kept) {
        StartEstimate estimate = starts.of(job);
        boolean estimated = estimate != null && estimate.middle() != null;
        return "a place is reserved for it" + ReservationText.own(kept, estimated, view, now);
    }

    /// Room that other jobs leave, by their own end or because they were preempted.
    private static String room(Claim claim) {
        int victims = VictimList.read(claim.reason()).count();
        var on = new Placement(claim.slots());
        return victims == 0
                ? "waiting for jobs on " + on + " that are stopping already"
                : "waiting for " + Plurals.of(victims, "preempted job") + " to stop on " + on;
    }

    /// For whom and until when capacity is kept that another job could use: `for job-5 until it
    /// starts, about 2025-03-01T11:00:00Z`.
    ///
    /// @param name of the job, or what stands for it where the reader must not know it
    public String keptFor(JobId id, String name) {
        Job holder = view.job(id);
        KeptCapacity kept = view.kept().get(id);
        return "for "
                + name
                + (holder == null || kept == null
                        ? ""
                        : ReservationText.other(holder, kept, view, starts, now));
    }

    /// The reservation of a waiting job; null when it has none.
    public @Nullable KeptCapacity reservation(JobId id) {
        KeptCapacity kept = view.kept().get(id);
        return kept != null && kept.isReservation() ? kept : null;
    }

    /// The condition under which the time of a reservation holds; empty where it holds by limits.
    public String condition(KeptCapacity reservation) {
        String words = ReservationText.condition(reservation, view, now);
        return words.isEmpty() ? "" : words.substring(", if ".length());
    }

    private static String running(Job job, Run run, View view) {
        String where = whereabouts(run, view);
        Instant idle = view.idle().get(job.id());
        return !where.isEmpty() || idle == null
                ? where
                : "uses none of its GPUs since " + idle.truncatedTo(ChronoUnit.SECONDS);
    }

    /// A node that does not answer cannot be told to stop: then the grace says nothing about the
    /// end.
    private static String stopping(Phase.Stopping stopping, View view) {
        String cause = stopping.cause().detail();
        String where = whereabouts(stopping.run(), view);
        return "stopping: "
                + (cause.isEmpty() ? words(stopping.cause().kind().name()) : cause)
                + (where.isEmpty() ? "" : "; " + where);
    }

    /// A run whose node does not answer may still go on, so the reason must mention the node.
    private static String whereabouts(Run run, View view) {
        NodeId node = unreachable(run, view);
        return node == null ? "" : "node unreachable: " + node;
    }

    /// The first node of the job's run that does not answer; null if all answer or nothing runs.
    public @Nullable NodeId unreachableNode(Job job) {
        Run run = job.phase().run();
        return run == null ? null : unreachable(run, view);
    }

    private static @Nullable NodeId unreachable(Run run, View view) {
        for (Slot slot : run.on().slots()) {
            NodeRow node = view.nodes().row(slot.node());
            if (node != null && node.status().reach() != NodeStatus.Reach.UP) {
                return slot.node();
            }
        }
        return null;
    }

    private static String words(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
