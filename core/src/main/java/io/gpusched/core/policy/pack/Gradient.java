package io.gpusched.core.policy.pack;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;
import io.gpusched.core.state.NodeView;
import io.gpusched.core.state.Typical;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Fragmentation gradient descent: prefers the node where the task adds the least to what typical
/// tasks cannot use.
public final class Gradient implements Scorer {
    private final @Nullable Typical given;

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
        Typical typical = given == null ? cluster.typical() : given;
        for (int i = 0; i < candidates.size(); i++) {
            NodeView node = candidates.get(i).node();
            Left left = Left.of(node);
            double before = Fragments.of(left, typical);
            left.take(candidates.get(i).grant(), shape.host().milliCpu());
            cost[i] = (100 - points(before, Fragments.of(left, typical))) / 100.0;
        }
    }

    static int points(double before, double after) {
        return (int) (100 * (1 / (1 + StrictMath.exp(-(before - after) / 1000))));
    }
}
