package io.gpusched.core.policy.pack;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;
import io.gpusched.core.state.NodeView;
import io.gpusched.core.state.Typical;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/// Fragmentation gradient descent: prefers the node where the task adds the least to what typical
/// tasks cannot use.
public final class Gradient implements Scorer {
    private final @Nullable Typical given;
    private @Nullable Fragments fragments;
    private long[] versions = new long[0];
    private double[] befores = new double[0];

    /// @param given what is typical; null to go by what the ledger has counted
    public Gradient(@Nullable Typical given) {
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
        Fragments fragments = fragments(cluster);
        for (int i = 0; i < candidates.size(); i++) {
            NodeView node = candidates.get(i).node();
            Left left = Left.of(node);
            double before = before(node, left, fragments);
            left.take(candidates.get(i).grant(), shape.host().milliCpu());
            cost[i] = (100 - points(before, fragments.of(left))) / 100.0;
        }
    }

    /// The sums for what is typical now.
    Fragments fragments(ClusterView cluster) {
        Typical typical = given == null ? cluster.typical() : given;
        Fragments sums = fragments;
        if (sums == null || sums.typical().version() != typical.version()) {
            sums = new Fragments(typical);
            fragments = sums;
            versions = new long[0];
        }
        return sums;
    }

    /// What is in fragments on the node as it is, kept until it changes.
    double before(NodeView node, Left left, Fragments sums) {
        int at = node.index();
        if (at >= versions.length) {
            int length = Math.max(at + 1, versions.length * 2);
            versions = Arrays.copyOf(versions, length);
            befores = Arrays.copyOf(befores, length);
        }
        if (versions[at] != node.version() + 1 || node.isClaimed()) {
            versions[at] = node.version() + 1;
            befores[at] = sums.of(left);
        }
        return befores[at];
    }

    static int points(double before, double after) {
        return (int) (100 * (1 / (1 + StrictMath.exp(-(before - after) / 1000))));
    }
}
