package io.gpusched.core.engine;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.Ranking;
import io.gpusched.core.queue.RankedHeads;
import io.gpusched.core.queue.WaitClass;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// Finds the class that takes the next turn where a model orders the queue; see [Ranking].
///
/// The heads are ranked again after every decision, because it changed what is free. Refusals
/// change nothing, so a class that rests would not have changed the ranking by its turn: trying
/// only the classes that are awake decides the same as trying all. For the same reason resting
/// classes are ranked too, and an invalid ranking counts for one decision only.
final class RankedTurns {
    private final ClusterState state;
    private final Ranking ranking;
    private final Cycle cycle;
    private final List<WaitClass> classes = new ArrayList<>(Ranking.HEADS);
    private final List<Job> heads = new ArrayList<>(Ranking.HEADS);
    private final float[] scores = new float[Ranking.HEADS];

    /// How many events the cycle had recorded when the heads were listed and when they were ranked.
    private int listedAt = -1;

    private int rankedAt = -1;

    RankedTurns(ClusterState state, Ranking ranking, Cycle cycle) {
        this.state = state;
        this.ranking = ranking;
        this.cycle = cycle;
    }

    /// The class whose head takes the next turn; null if no class is left that could get another
    /// answer.
    @Nullable WaitClass next() {
        WaitClass starving = starving();
        if (starving != null) {
            return starving;
        }
        WaitClass first = state.queue().first();
        return first == null ? null : ranked(first);
    }

    /// Whether the head goes before a job for which others are being preempted.
    boolean isAhead(WaitClass one, Job inRoom) {
        return ranking.starves(head(one), cycle.now())
                || (ranking.withinPriority() && one.priority() > inRoom.priority());
    }

    /// The class whose head has waited longest, if it exceeds the bound. A class that waits for
    /// capacity is tried again only if it could have the reservation.
    private @Nullable WaitClass starving() {
        RankedHeads all = state.queue().rankedHeads();
        WaitClass awake = all.longestAwake();
        WaitClass blocked = cycle.hasReservation() ? null : all.longestBlocked();
        WaitClass longest = awake;
        if (blocked != null
                && (awake == null || RankedHeads.waitedLonger(head(blocked), head(awake)))) {
            longest = blocked;
        }
        return longest != null && ranking.starves(head(longest), cycle.now()) ? longest : null;
    }

    /// @param first the first class in queue order that is awake
    private WaitClass ranked(WaitClass first) {
        list();
        int best = -1;
        for (int i = 0; i < classes.size(); i++) {
            if (!mayBeFirst(classes.get(i), first)) {
                continue;
            }
            if (best < 0) {
                best = i;
                continue;
            }
            rank();
            best = scores[i] > scores[best] ? i : best;
        }
        return best < 0 ? first : classes.get(best);
    }

    private boolean mayBeFirst(WaitClass one, WaitClass first) {
        return one.isAwake() && (!ranking.withinPriority() || one.priority() == first.priority());
    }

    private void list() {
        if (listedAt == cycle.recorded()) {
            return;
        }
        listedAt = cycle.recorded();
        classes.clear();
        heads.clear();
        for (WaitClass one : state.queue().rankedHeads().first(Ranking.HEADS)) {
            classes.add(one);
            heads.add(head(one));
        }
    }

    private void rank() {
        if (rankedAt == cycle.recorded()) {
            return;
        }
        rankedAt = cycle.recorded();
        ranking.ranker().rank(state, heads, cycle.now(), scores);
        boolean valid = true;
        for (int i = 0; i < heads.size(); i++) {
            valid &= Float.isFinite(scores[i]);
        }
        if (!valid) {
            Arrays.fill(scores, 0);
        }
        cycle.ranked(valid);
    }

    private Job head(WaitClass one) {
        return Objects.requireNonNull(state.job(new JobId(one.head())));
    }
}
