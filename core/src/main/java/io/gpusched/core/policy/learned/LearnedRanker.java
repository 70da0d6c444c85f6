package io.gpusched.core.policy.learned;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.HeadRanker;
import io.gpusched.core.policy.Ranking;
import io.gpusched.core.state.ClusterView;

import java.time.Instant;
import java.util.List;

/// Ranks heads by the scores of a model.
///
///     cluster, heads, now ──HeadEncoder──▶ one row of features per head ──ScoreModel──▶ scores
final class LearnedRanker implements HeadRanker {
    private final HeadEncoder encoder = new HeadEncoder();
    private final ForwardPass forwardPass;

    LearnedRanker(ScoreModel model) {
        this.forwardPass = model.forwardPass(Ranking.HEADS);
    }

    @Override
    public void rank(ClusterView cluster, List<Job> heads, Instant now, float[] scores) {
        encoder.encode(cluster, heads, now, forwardPass.inputs());
        forwardPass.scores(heads.size(), scores);
    }
}
