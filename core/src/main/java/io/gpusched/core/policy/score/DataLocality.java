package io.gpusched.core.policy.score;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Replica;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.PreferredLabel;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.pool.LocalityRules;
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
/// A job named in [#APART] that runs on the node adds .5. It is named by its kind, its label
/// [#COMPONENT], its pool, or the agent class of its pool. The label [#WEIGHT] of the job
/// (`low`, `medium`, `high`) moves the cost closer to the neutral .5. Pools give data locality a
/// part of the whole score instead, in [#PERCENT].
public final class DataLocality implements Scorer {
    public static final String NAME = "data-locality";

    /// On jobs: vector stores to be near, separated by commas.
    public static final String STORES = LocalityRules.STORES_LABEL;

    /// On jobs: caches to be near.
    public static final String CACHES = "neuronetes.io/cache-affinity";

    /// On jobs: kinds, components, pools or agent classes of jobs not to share a node with.
    public static final String APART = "neuronetes.io/anti-affinity";

    /// On jobs: how much data locality matters: low, medium or high.
    public static final String WEIGHT = "neuronetes.io/locality-weight";

    /// On jobs: the part of the score that data locality has, in percent.
    public static final String PERCENT = "gpu-scheduler.io/locality-percent";

    /// On nodes: the stores and caches they hold.
    public static final String HELD = LocalityRules.HELD_LABEL;

    /// On nodes: the stores and caches close by.
    public static final String NEARBY = "neuronetes.io/data-stores-nearby";

    public static final String COMPONENT = "neuronetes.io/component";

    /// On replicas: the agent class of their pool.
    public static final String CLASS = "neuronetes.io/agent-class";

    private static final double NEUTRAL = 0.5;
    private static final double CLOSE = 0.2;
    private static final double DISTURBED = 0.5;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int percent(Job job) {
        return percent(job.spec().labels().value(PERCENT));
    }

    /// A label that is no number counts as none.
    static int percent(String label) {
        return label.matches("[0-9]{1,2}|100") ? Integer.parseInt(label) : 0;
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

    /// Whether a job with these labels should not share a node with the other.
    public static boolean isNamed(Labels labels, JobSpec other) {
        Replica replica = other.replica();
        return lists(labels, other.kind())
                || lists(labels, other.labels().value(COMPONENT))
                || lists(labels, other.labels().value(CLASS))
                || (replica != null && lists(labels, replica.pool()));
    }

    private static boolean lists(Labels labels, String name) {
        return !name.isEmpty() && labels.lists(APART, name);
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
