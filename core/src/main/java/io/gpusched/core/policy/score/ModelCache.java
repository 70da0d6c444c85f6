package io.gpusched.core.policy.score;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.PreferredLabel;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.state.ClusterView;

import java.util.List;

/// Prefers nodes that already have the model's weights, because loading them is most of a service's
/// cold start. Nodes list what they have in [#CACHED], jobs name what they load in [#MODEL]:
///
///     model of the job    the node lists it    lists others    lists nothing
///     named               0                    1               1
///     not named           –                    .1              1
///
/// What replicas of pools have loaded, and what nodes report, counts like the label.
public final class ModelCache implements Scorer {
    public static final String NAME = "model-cache";

    /// On nodes: the models in the cache, separated by commas.
    public static final String CACHED = ModelSpec.CACHED_LABEL;

    /// On jobs: the model it loads.
    public static final String MODEL = ModelSpec.LABEL;

    /// On jobs: the part of the score that a cached model has, in percent.
    public static final String PERCENT = "gpu-scheduler.io/model-cache-percent";

    private static final double PROBABLY = 0.1;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int percent(Job job) {
        return DataLocality.percent(job.spec().labels().value(PERCENT));
    }

    @Override
    public Iterable<NodeId> preferredNodes(Job job, ClusterView cluster) {
        return cluster.models().nodes(job.spec().labels().value(MODEL)).keySet();
    }

    @Override
    public List<PreferredLabel> wishes(Job job, ClusterView cluster) {
        String model = job.spec().labels().value(MODEL);
        return List.of(new PreferredLabel(CACHED, model));
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        String model = job.spec().labels().value(MODEL);
        for (int i = 0; i < candidates.size(); i++) {
            Node node = candidates.get(i).node().facts();
            cost[i] = cluster.models().holds(node.id(), model) ? 0 : cost(model, node.labels());
        }
    }

    private static double cost(String model, Labels node) {
        if (model.isEmpty()) {
            return node.value(CACHED).isEmpty() ? 1 : PROBABLY;
        }
        return node.lists(CACHED, model) ? 0 : 1;
    }
}
