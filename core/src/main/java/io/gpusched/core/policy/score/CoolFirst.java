package io.gpusched.core.policy.score;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;

import java.util.List;

/// Prefers cool GPUs on cool nodes: warm ones draw more power, and hot ones throttle. Two thirds of
/// the cost are the heat of the GPUs themselves, one third that of their neighbours, which share
/// the airflow. Cool counts 0, warm 0.5, hot 1.
///
///     n1: [cool cool warm hot]   n2: all cool   a task for the two first   →   0.13, 0
public final class CoolFirst implements Scorer {
    @Override
    public String name() {
        return "cool-first";
    }

    @Override
    public boolean local() {
        return true;
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        for (int i = 0; i < candidates.size(); i++) {
            NodeView node = candidates.get(i).node();
            double all = heat(node, node.facts().allGpus());
            long granted = candidates.get(i).grant().mask();
            double own = granted == 0 ? all : heat(node, granted);
            cost[i] = (2 * own + all) / 3;
        }
    }

    private static double heat(NodeView node, long gpus) {
        double sum = 0;
        for (long rest = gpus; rest != 0; rest &= rest - 1) {
            sum +=
                    switch (node.condition(Long.numberOfTrailingZeros(rest)).heat()) {
                        case COOL -> 0;
                        case WARM -> 0.5;
                        case HOT -> 1;
                    };
        }
        return gpus == 0 ? 0 : sum / Long.bitCount(gpus);
    }
}
