package io.gpusched.core.engine;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// When a running job next leaves for a job of some priority with nothing but time passing, as
/// [Preemptor#nextToLeave] says, without asking it about all runs every time.
///
/// An answer holds until its time comes or another run begins. A run that begins can only bring the
/// time forward, and is asked about alone. A run that ends could only put it off: the answer is
/// then too early, so a waiting job is tried once too often and gets the same refusal.
final class LeaveTimes {
    /// More priorities than this are not remembered at a time.
    private static final int MOST = 1024;

    /// @param asks a job of the priority
    /// @param next [Instant#MAX] when no run leaves by time alone
    private record Known(Job asks, Instant next) {}

    private final ClusterState state;
    private final Preemptor preemptor;
    private final Map<Integer, Known> byPriority = new LinkedHashMap<>();

    /// The state's [ClusterState#runsBegun] that the answers go by.
    private long runsBegun;

    LeaveTimes(ClusterState state, Preemptor preemptor) {
        this.state = state;
        this.preemptor = preemptor;
    }

    /// When a run leaves for the job by time alone; null when none does.
    @Nullable Instant next(Job job, Instant now) {
        if (runsBegun != state.runsBegun() || byPriority.size() > MOST) {
            byPriority.clear();
            runsBegun = state.runsBegun();
        }
        Known known = byPriority.get(job.priority());
        if (known == null || !now.isBefore(known.next)) {
            Instant next = preemptor.nextToLeave(job.priority(), state, now);
            known = new Known(job, next == null ? Instant.MAX : next);
            byPriority.put(job.priority(), known);
        }
        return known.next.equals(Instant.MAX) ? null : known.next;
    }

    /// A run has just begun; it is the only one since it was last told of one, or answers are
    /// forgotten.
    void placed(Job running, Instant now) {
        if (state.runsBegun() != runsBegun + 1) {
            return;
        }
        runsBegun++;
        Tenant tenant = state.tenant(running.tenant());
        if (tenant == null || !tenant.rules().mayBePreempted()) {
            return;
        }
        byPriority.replaceAll(
                (priority, known) -> {
                    boolean waits =
                            running.priority() < priority
                                    && preemptor.leavesFor(running, now) > priority;
                    Instant leaves = waits ? preemptor.leavesAt(running, known.asks, now) : null;
                    return leaves == null || !leaves.isBefore(known.next)
                            ? known
                            : new Known(known.asks, leaves);
                });
    }
}
