package io.gpusched.lab.swf;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.Ranking;
import io.gpusched.core.policy.learned.ForwardPass;
import io.gpusched.core.policy.learned.HeadEncoder;
import io.gpusched.core.policy.learned.ScoreModel;
import io.gpusched.core.state.ClusterState;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// The job that a learned order scores highest, among the [Ranking#HEADS] with the shortest time
/// limits. The model sees the jobs and the machine through the encoder of production, so it knows
/// which of them fit now. No job of a batch log uses GPUs, so the feature that says so tells the
/// model instead whether the sequence backfills.
public final class FirstOfModel implements NextJob {
    /// The version of the encoder of such models. It differs from that of production, so that the
    /// scheduler refuses them.
    public static final String ENCODER = HeadEncoder.VERSION + "-batch";

    /// Whether a job uses GPUs; here, whether the sequence backfills.
    public static final int BACKFILLS = 12;

    /// A sequence has fewer jobs than this many bits can count.
    private static final int NUMBER_BITS = 24;

    private final HeadEncoder encoder = new HeadEncoder();
    private final ForwardPass forwardPass;
    private final boolean backfills;
    private final float[] scores = new float[Ranking.HEADS];
    private final List<Job> heads = new ArrayList<>();

    /// Time limits in seconds, each above the number of its job.
    private long[] shortest = new long[0];

    public FirstOfModel(ScoreModel model, boolean backfills) {
        String mismatch = model.mismatch(ENCODER);
        Check.that(mismatch == null, "%s", String.valueOf(mismatch));
        this.forwardPass = model.forwardPass(Ranking.HEADS);
        this.backfills = backfills;
    }

    @Override
    public JobId choose(ClusterState state, List<JobId> queue, Instant now) {
        if (queue.size() == 1) {
            return queue.getFirst();
        }
        readHeads(state, queue);
        encoder.encode(state, heads, now, forwardPass.inputs());
        for (int i = 0; i < heads.size(); i++) {
            forwardPass.inputs()[i * HeadEncoder.FEATURES + BACKFILLS] = backfills ? 1 : 0;
        }
        forwardPass.scores(heads.size(), scores);
        int best = 0;
        for (int i = 1; i < heads.size(); i++) {
            best = scores[i] > scores[best] ? i : best;
        }
        return heads.get(best).id();
    }

    /// The jobs of the queue or, where there are more than the model sees, the shortest.
    private void readHeads(ClusterState state, List<JobId> queue) {
        heads.clear();
        if (queue.size() <= Ranking.HEADS) {
            queue.forEach(id -> heads.add(Objects.requireNonNull(state.job(id))));
            return;
        }
        if (shortest.length < queue.size()) {
            shortest = new long[2 * queue.size()];
        }
        for (int i = 0; i < queue.size(); i++) {
            Job job = Objects.requireNonNull(state.job(queue.get(i)));
            shortest[i] = job.spec().limit().toSeconds() << NUMBER_BITS | job.id().number();
        }
        Arrays.sort(shortest, 0, queue.size());
        for (int i = 0; i < Ranking.HEADS; i++) {
            long number = shortest[i] & ((1L << NUMBER_BITS) - 1);
            heads.add(Objects.requireNonNull(state.job(new JobId(number))));
        }
    }
}
