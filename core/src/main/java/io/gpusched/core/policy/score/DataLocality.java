package io.gpusched.core.policy.score;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.PreferredLabel;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;

import java.util.ArrayList;
import java.util.List;

/// Prefers nodes close to the data that a job reads, and without jobs that it must not share a node
/// with.
///
/// Jobs name their data in [#STORES] and [#CACHES], nodes list what they hold in [#HELD] and what
/// is a short way off (the same rack) in [#NEARBY]:
///
///     held 0 · nearby .2 · elsewhere 1 · the mean over all that is named · nothing named .5
///
/// Each kind of job named in [#APART] that runs on the node adds .5. The label [#WEIGHT] of the job
/// (`low`, `medium`, `high`) moves the cost closer to the neutral .5.
public final class DataLocality implements Scorer {
    /// On jobs: vector stores to be near, separated by commas.
    public static final String STORES = "neuronetes.io/vector-store-affinity";

    /// On jobs: caches to be near.
    public static final String CACHES = "neuronetes.io/cache-affinity";

    /// On jobs: kinds of jobs, or their label [#COMPONENT], not to share a node with.
    public static final String APART = "neuronetes.io/anti-affinity";

    /// On jobs: how much data locality matters: low, medium or high.
    public static final String WEIGHT = "neuronetes.io/locality-weight";

    /// On nodes: the stores and caches they hold.
    public static final String HELD = "neuronetes.io/data-stores";

    /// On nodes: the stores and caches close by.
    public static final String NEARBY = "neuronetes.io/data-stores-nearby";

    public static final String COMPONENT = "neuronetes.io/component";

    private static final double NEUTRAL = 0.5;
    private static final double CLOSE = 0.2;
    private static final double DISTURBED = 0.5;

    @Override
    public String name() {
        return "data-locality";
    }

    @Override
    public List<PreferredLabel> wishes(Job job, ClusterView cluster) {
        List<String> wanted = wanted(job.spec().labels());
        if (wanted.isEmpty()) {
            return List.of();
        }
        var wishes = new ArrayList<PreferredLabel>();
        wanted.forEach(item -> wishes.add(new PreferredLabel(HELD, item)));
        wanted.forEach(item -> wishes.add(new PreferredLabel(NEARBY, item)));
        return wishes;
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        Labels labels = job.spec().labels();
        List<String> wanted = wanted(labels);
        boolean apart = !labels.value(APART).isEmpty();
        double matters = matters(labels.value(WEIGHT));
        for (int i = 0; i < candidates.size(); i++) {
            cost[i] = distance(wanted, candidates.get(i).node().facts().labels());
        }
        if (!apart && matters == 1) {
            return;
        }
        for (int i = 0; i < candidates.size(); i++) {
            double all = cost[i];
            all += apart && isDisturbed(labels, candidates.get(i).node(), cluster) ? DISTURBED : 0;
            cost[i] = NEUTRAL + (Math.min(1, all) - NEUTRAL) * matters;
        }
    }

    private static double distance(List<String> wanted, Labels node) {
        if (wanted.isEmpty()) {
            return NEUTRAL;
        }
        double sum = 0;
        for (String item : wanted) {
            if (!node.lists(HELD, item)) {
                sum += node.lists(NEARBY, item) ? CLOSE : 1;
            }
        }
        return sum / wanted.size();
    }

    private static boolean isDisturbed(Labels labels, NodeView node, ClusterView cluster) {
        for (JobId id : node.jobs()) {
            Job other = cluster.job(id);
            if (other != null && isNamed(labels, other.spec())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isNamed(Labels labels, JobSpec other) {
        String component = other.labels().value(COMPONENT);
        return (!other.kind().isEmpty() && labels.lists(APART, other.kind()))
                || (!component.isEmpty() && labels.lists(APART, component));
    }

    private static List<String> wanted(Labels labels) {
        String stores = labels.value(STORES);
        String caches = labels.value(CACHES);
        if (stores.isEmpty() && caches.isEmpty()) {
            return List.of();
        }
        var wanted = new ArrayList<String>();
        for (String item : (stores + "," + caches).split(",", -1)) {
            if (!item.isBlank()) {
                wanted.add(item.strip());
            }
        }
        return wanted;
    }

    private static double matters(String weight) {
        if (weight.equals("low")) {
            return 1.0 / 3;
        }
        return weight.equals("medium") ? 2.0 / 3 : 1;
    }
}
