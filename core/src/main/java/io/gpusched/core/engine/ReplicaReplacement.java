package io.gpusched.core.engine;

import io.gpusched.core.model.Job;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// One step of a rolling update. See [RollingUpdate].
///
/// 1. Replicas of an earlier template that never served are replaced at once.
/// 2. One new replica starts beyond the size. If there is no capacity for it and the pool has
///    several ready replicas, one old replica drains first.
/// 3. An old replica drains when more replicas are ready than the size.
///
/// While replicas end by themselves, no ready one of the earlier template is stopped for the
/// update.
final class ReplicaReplacement {
    private static final String WHY = "replaced: its pool has another template";

    private final ClusterState state;
    private final PoolEntry entry;
    private final Instant now;
    private final Actions actions;

    /// What a step does.
    interface Actions {
        /// Submits up to so many replicas, fewer after failures.
        void submit(int count);

        /// Whether one more replica could be placed now.
        boolean hasRoom();

        void remove(ReplicaStatus status, String why);
    }

    ReplicaReplacement(ClusterState state, PoolEntry entry, Instant now, Actions actions) {
        this.state = state;
        this.entry = entry;
        this.now = now;
        this.actions = actions;
    }

    void step() {
        RollingUpdate before = update();
        if (!before.isStopped()) {
            before.unserved().forEach(status -> actions.remove(status, WHY));
        }
        RollingUpdate update = update();
        int extra = update.total() - entry.desired();
        if (extra < 0) {
            // An old replica that drains to make room is replaced when it has left.
            boolean leaves = state.pools().counts(entry).draining() > 0;
            if (!leaves || actions.hasRoom()) {
                actions.submit(-extra);
            }
            return;
        }
        extra = withdrawn(update, extra);
        extra = drained(update, extra);
        RollingUpdate rest = update();
        if (extra == 0 && rest.pending() == 0 && !rest.isOver()) {
            next(rest);
        }
    }

    private RollingUpdate update() {
        return new RollingUpdate(state, entry, now);
    }

    /// Ends new replicas that found no capacity, so that an old one may make room.
    private int withdrawn(RollingUpdate update, int extra) {
        int left = extra;
        for (ReplicaStatus status : update.late()) {
            if (left > 0) {
                actions.remove(status, "the update found no capacity for it");
                left--;
            }
        }
        return left;
    }

    private int drained(RollingUpdate update, int extra) {
        int kept = update.isStopped() && update.updated() > 0 ? 1 : 0;
        int left = extra;
        int spare = update.ready() - entry.desired();
        for (ReplicaStatus status : inOrder(update.outdated())) {
            boolean serves = isReady(update, status);
            if (left > kept && (!serves || spare > 0)) {
                actions.remove(status, WHY);
                left--;
                spare -= serves ? 1 : 0;
            }
        }
        // The pool became smaller: what exceeds one new replica leaves as without an update.
        if (left > 1) {
            inOrder(entry.replicas()).stream()
                    .limit(left - 1L)
                    .forEach(status -> actions.remove(status, "the pool became smaller"));
        }
        return Math.min(left, 1);
    }

    private void next(RollingUpdate update) {
        Instant startAfter = entry.startAfter();
        if (startAfter != null && startAfter.isAfter(now)) {
            return;
        }
        if (actions.hasRoom()) {
            actions.submit(1);
        } else if (entry.desired() > 1
                && !update.isStopped()
                && update.ready() >= entry.desired()) {
            actions.remove(inOrder(update.outdated()).getFirst(), WHY);
        }
    }

    private List<ReplicaStatus> inOrder(List<ReplicaStatus> replicas) {
        return ReplicaChoice.inOrder(entry, replicas, state, now);
    }

    private boolean isReady(RollingUpdate update, ReplicaStatus status) {
        Job job = Objects.requireNonNull(state.job(status.job()));
        return update.isReady(status, job);
    }
}
