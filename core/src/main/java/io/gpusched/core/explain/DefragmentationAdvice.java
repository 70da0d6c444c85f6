package io.gpusched.core.explain;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Running jobs that could move to other GPUs so that a waiting job could start, and the cost of
/// the moves. It is advice only: no job is moved.
///
/// @param job the waiting job; null when none waits
/// @param moves in the order in which they could be made: each fits when those before it were made
/// @param place where the job would start then; null when no moves were found
/// @param lostMilliGpuSeconds the work that would be done again, of all moves together
public record DefragmentationAdvice(
        @Nullable JobId job,
        String summary,
        List<Move> moves,
        @Nullable Placement place,
        long lostMilliGpuSeconds) {
    /// One job that would be stopped and started elsewhere.
    ///
    /// @param lostMilliGpuSeconds the work it would do again, since its last checkpoint if it makes
    ///        any
    public record Move(
            JobId job, TenantId tenant, Placement from, Placement to, long lostMilliGpuSeconds) {}

    public DefragmentationAdvice {
        moves = List.copyOf(moves);
    }

    public static DefragmentationAdvice none(@Nullable JobId job, String why) {
        return new DefragmentationAdvice(job, why, List.of(), null, 0);
    }
}
