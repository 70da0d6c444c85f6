package io.gpusched.core.policy.pack;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;

import java.util.List;

/// Chooses a random node of those that could run the task. The number follows from the seed, the
/// job and the node, so a replay decides the same.
public final class RandomNode implements Scorer {
    private final long seed;

    public RandomNode(long seed) {
        this.seed = seed;
    }

    @Override
    public String name() {
        return "random";
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        long start = mix(seed * 1_000_003 + job.id().number());
        for (int i = 0; i < candidates.size(); i++) {
            long drawn = mix(start + candidates.get(i).node().index() * 0x9E3779B97F4A7C15L);
            cost[i] = (drawn >>> 11) * 0x1.0p-53;
        }
    }

    /// Spreads the bits of a number, so that consecutive numbers become unrelated.
    static long mix(long number) {
        long z = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
