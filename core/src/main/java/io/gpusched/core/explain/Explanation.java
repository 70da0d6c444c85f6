package io.gpusched.core.explain;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Placement;
import io.gpusched.core.policy.RefusalCount;
import io.gpusched.core.policy.ScoreTerm;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// The answer to `explain`: why a job waits, or why it runs where it does.
///
/// @param reasons what keeps it, each with the number of nodes it holds for; the one that the
///        summary names first, then the most frequent first
/// @param spared why jobs of lower rank that hold what it needs are not preempted for it
/// @param terms the scores of the placement that it has or would get now
/// @param reserved when its reservation begins; null when it has none
/// @param place where it is, or would start if it took its turn now; null when nowhere
/// @param victims jobs that would be preempted for that; empty when none would
/// @param holders jobs that hold the capacity it needs, the largest first, at most a handful
/// @param changes what would let it start now, the smallest change first; each was tried out
public record Explanation(
        JobId job,
        String summary,
        List<RefusalCount> reasons,
        List<RefusalCount> spared,
        List<ScoreTerm> terms,
        @Nullable Instant reserved,
        @Nullable Placement place,
        List<JobId> victims,
        List<HeldCapacity> holders,
        List<RequestChange> changes) {
    public Explanation {
        reasons = List.copyOf(reasons);
        spared = List.copyOf(spared);
        terms = List.copyOf(terms);
        victims = List.copyOf(victims);
        holders = List.copyOf(holders);
        changes = List.copyOf(changes);
    }

    /// An explanation of one sentence.
    static Explanation plain(JobId job, String summary, @Nullable Placement place) {
        return new Explanation(
                job, summary, List.of(), List.of(), List.of(), null, place, List.of(), List.of(),
                List.of());
    }

    /// Whether the job waits and no change is known that would let it start.
    public boolean isStuck() {
        return place == null && !reasons.isEmpty() && changes.isEmpty();
    }
}
