package io.gpusched.core.engine;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// Remembers when the next running job loses its protection from preemption by jobs of a priority.
/// [Preemptor#nextToLeave] computes that time from all protected runs; this class asks it rarely.
///
/// An answer is valid until its time comes or another run begins. A run that begins can only make
/// the time earlier, so the preemptor is asked about that run alone. A run that ends can only make
/// the time later. The answer is then too early: a waiting job is tried once more and gets the same
/// refusal.
final class LeaveTimes {
    /// Answers are kept for at most about this many priorities.
    private static final int MOST = 1024;

    /// @param asks a job of the priority
    /// @param next [Instant#MAX] when no run loses its protection with time
    private record Known(Job asks, Instant next) {}

    private final ClusterState state;
    private final Preemptor preemptor;
    private final Map<Integer, Known> byPriority = new LinkedHashMap<>();

    /// How many runs had begun when the answers were last updated.
    private long runsBegun;

    LeaveTimes(ClusterState state, Preemptor preemptor) {
        this.state = state;
        this.preemptor = preemptor;
    }

    /// When the next run loses its protection from preemption by the job; null when none does.
    @Nullable Instant next(Job job, Instant now) {
        if (runsBegun != state.runs().begun() || byPriority.size() > MOST) {
            byPriority.clear();
            runsBegun = state.runs().begun();
        }
        Known known = byPriority.get(job.priority());
        if (known == null || !now.isBefore(known.next)) {
            Instant next = preemptor.nextToLeave(job.priority(), state, now);
            known = new Known(job, next == null ? Instant.MAX : next);
            byPriority.put(job.priority(), known);
        }
        return known.next.equals(Instant.MAX) ? null : known.next;
    }

    /// Updates the answers for a run that has just begun. If it is not the only new run, the next
    /// call of [#next] drops all answers.
    void placed(Job running, Instant now) {
        if (state.runs().begun() != runsBegun + 1) {
            return;
        }
        runsBegun++;
        Tenant tenant = state.tenants().find(running.tenant());
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
