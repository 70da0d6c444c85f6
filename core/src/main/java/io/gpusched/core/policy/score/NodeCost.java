package io.gpusched.core.policy.score;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.PreferredLabel;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;
import io.gpusched.core.state.NodePrices;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Prefers cheap nodes: dollars per GPU hour, compared with the most expensive candidate.
///
///     candidates at 1.2, 2.4 and 4.8 $   →   cost .25, .5, 1      no price known   →   .5
///
/// A spot node attracts only jobs whose label [#SPOT] is `true`; for others it is the most
/// expensive, whatever its price. Such a job prefers spot nodes even where no prices are known.
public final class NodeCost implements Scorer {
    /// On jobs: `true` when interruptions are acceptable.
    public static final String SPOT = "neuronetes.io/spot";

    /// On nodes: `spot` when the provider may take them away.
    public static final String CAPACITY = "karpenter.sh/capacity-type";

    private static final double UNKNOWN = 0.5;
    private static final double ON_DEMAND = 0.4;
    private static final double NOT_SPOT = 0.3;
    private static final double NEVER = Double.POSITIVE_INFINITY;
    private static final int MOST_LABELS = 4;

    @Override
    public String name() {
        return "cost";
    }

    @Override
    public List<PreferredLabel> wishes(Job job, ClusterView cluster) {
        boolean spotToo = takesSpot(job);
        if (cluster.nodePrices().isEmpty()) {
            return spotToo ? List.of(new PreferredLabel(CAPACITY, "spot")) : List.of();
        }
        var preferred = new ArrayList<PreferredLabel>(MOST_LABELS);
        for (Market market : cluster.nodePrices().cheapestFirst()) {
            if (preferred.size() == MOST_LABELS) {
                break;
            }
            if (spotToo || !market.spot()) {
                preferred.add(new PreferredLabel(market.label(), market.value()));
            }
        }
        return preferred;
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        boolean spotToo = takesSpot(job);
        NodePrices nodePrices = cluster.nodePrices();
        double dearest = 0;
        for (int i = 0; i < candidates.size(); i++) {
            Labels labels = candidates.get(i).node().facts().labels();
            cost[i] =
                    nodePrices.isEmpty()
                            ? guess(labels, spotToo)
                            : price(nodePrices, labels, spotToo);
            dearest = cost[i] < NEVER ? Math.max(dearest, cost[i]) : dearest;
        }
        for (int i = 0; i < candidates.size() && !nodePrices.isEmpty(); i++) {
            cost[i] = relative(cost[i], dearest);
        }
    }

    /// The cost where no prices are known at all.
    private static double guess(Labels labels, boolean spotToo) {
        if (!spotToo) {
            return NOT_SPOT;
        }
        return isSpot(labels, null) ? 0 : ON_DEMAND;
    }

    /// Dollars per GPU hour; [#NEVER] for a node that the job should avoid; NaN where there is no
    /// price.
    private static double price(NodePrices nodePrices, Labels labels, boolean spotToo) {
        Market market = nodePrices.of(labels);
        if (!spotToo && isSpot(labels, market)) {
            return NEVER;
        }
        return market == null ? Double.NaN : market.microDollarsPerGpuHour() / 1e6;
    }

    private static boolean isSpot(Labels labels, @Nullable Market market) {
        return (market != null && market.spot()) || labels.value(CAPACITY).equals("spot");
    }

    private static double relative(double price, double dearest) {
        if (Double.isNaN(price)) {
            return UNKNOWN;
        }
        if (price == NEVER) {
            return 1;
        }
        return dearest == 0 ? 0 : price / dearest;
    }

    private static boolean takesSpot(Job job) {
        return job.spec().labels().value(SPOT).equals("true");
    }
}
