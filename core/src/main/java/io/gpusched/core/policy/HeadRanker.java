package io.gpusched.core.policy;

import io.gpusched.core.model.Job;
import io.gpusched.core.state.ClusterView;

import java.time.Instant;
import java.util.List;

/// Ranks the heads of the first classes of the queue by the state of the cluster, which a
/// [QueueOrder] cannot see.
///
/// The scores follow from the arguments alone, to the last bit. A ranker may keep memory to compute
/// in, so each engine has one of its own; it keeps nothing from call to call.
public interface HeadRanker {
    /// Writes the score of `heads.get(i)` to `scores[i]`. The head with the largest score goes
    /// first; equal scores keep the order of the list. If any score is not a finite number, the
    /// ranking is invalid and the heads go in the order of the list.
    ///
    /// @param heads in queue order, at most [Ranking#HEADS]
    void rank(ClusterView cluster, List<Job> heads, Instant now, float[] scores);
}
