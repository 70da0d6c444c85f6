package io.gpusched.core.policy.pack;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;
import io.gpusched.core.state.TypicalWorkload;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/// Fragmentation gradient descent: prefers the node where the task adds the least to the capacity
/// that typical tasks cannot use.
public final class FragmentationGradient implements Scorer {
    private final @Nullable TypicalWorkload given;
    private @Nullable Fragmentation fragmentation;
    private long[] versions = new long[0];
    private double[] befores = new double[0];

    /// @param given the typical workload; null to use the one that the ledger has counted
    public FragmentationGradient(@Nullable TypicalWorkload given) {
        this.given = given;
    }

    @Override
    public String name() {
        return "fgd";
    }

    @Override
    public boolean local() {
        return true;
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        Fragmentation fragmentation = fragments(cluster);
        for (int i = 0; i < candidates.size(); i++) {
            NodeView node = candidates.get(i).node();
            RemainingCapacity remainingCapacity = RemainingCapacity.of(node);
            double before = before(node, remainingCapacity, fragmentation);
            remainingCapacity.take(candidates.get(i).grant(), shape.host().milliCpu());
            cost[i] = (100 - points(before, fragmentation.of(remainingCapacity))) / 100.0;
        }
    }

    /// The sums for the present typical workload.
    Fragmentation fragments(ClusterView cluster) {
        TypicalWorkload typicalWorkload = given == null ? cluster.typicalWorkload() : given;
        Fragmentation sums = fragmentation;
        if (sums == null || sums.typicalWorkload().version() != typicalWorkload.version()) {
            sums = new Fragmentation(typicalWorkload);
            fragmentation = sums;
            versions = new long[0];
        }
        return sums;
    }

    /// The node's present fragmentation, kept until it changes.
    double before(NodeView node, RemainingCapacity remainingCapacity, Fragmentation sums) {
        int at = node.index();
        if (at >= versions.length) {
            int length = Math.max(at + 1, versions.length * 2);
            versions = Arrays.copyOf(versions, length);
            befores = Arrays.copyOf(befores, length);
        }
        if (versions[at] != node.version() + 1 || node.isClaimed()) {
            versions[at] = node.version() + 1;
            befores[at] = sums.of(remainingCapacity);
        }
        return befores[at];
    }

    static int points(double before, double after) {
        return (int) (100 * (1 / (1 + StrictMath.exp(-(before - after) / 1000))));
    }
}
