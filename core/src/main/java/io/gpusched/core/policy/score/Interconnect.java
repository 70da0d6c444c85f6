package io.gpusched.core.policy.score;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Topology;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;

import java.util.List;

/// Prefers GPUs with fast connections between them: the mean of [Topology#points] over all pairs of
/// the grant, compared with the best of all candidates.
///
///     two GPUs with 12 NVLinks, with 4, across sockets   →   cost 0, .67, .99
///
/// A task of one GPU is indifferent, and so are shares and slices: 0.5 for all. Nodes with an
/// unknown topology cost 1.
public final class Interconnect implements Scorer {
    private static final double NEUTRAL = 0.5;

    @Override
    public String name() {
        return "topology";
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        int n = candidates.size();
        if (!(shape.gpus() instanceof GpuRequest.Whole whole) || whole.count() < 2) {
            for (int i = 0; i < n; i++) {
                cost[i] = NEUTRAL;
            }
            return;
        }
        double best = 1;
        for (int i = 0; i < n; i++) {
            cost[i] = points(candidates.get(i));
            best = Math.max(best, cost[i]);
        }
        for (int i = 0; i < n; i++) {
            cost[i] = 1 - cost[i] / best;
        }
    }

    private static double points(Candidate candidate) {
        Topology topology = candidate.node().facts().topology();
        long granted = candidate.grant().mask();
        if (topology.size() < Long.SIZE - Long.numberOfLeadingZeros(granted)) {
            return 0;
        }
        long sum = 0;
        int pairs = 0;
        for (long rest = granted; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            for (long other = rest & rest - 1; other != 0; other &= other - 1) {
                sum += topology.points(gpu, Long.numberOfTrailingZeros(other));
                pairs++;
            }
        }
        return pairs == 0 ? 0 : (double) sum / pairs;
    }
}
