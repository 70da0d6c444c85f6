package io.gpusched.core.policy.pack;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;
import io.gpusched.core.state.TypicalWorkload;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// Prefers the node with the lowest expected waste: [WasteModel] predicts what will be left over,
/// and [ScarcityPrice] adds the price of places that other tasks cannot do without.
///
/// Nodes that differ by less than a twenty-fifth of a GPU count as equal, and the first in the
/// ledger gets the task: the expectation is not more exact than that, and filling nodes in one
/// order keeps the others whole.
///
/// Its caches follow from the ledger and never change a decision.
public final class ExpectedWaste implements Scorer {
    private static final double SAME = 40;

    /// The range of scores that can be distinguished.
    private static final double MOST = 20_000;

    private static final int MOST_SHAPES = 4096;

    private final @Nullable TypicalWorkload given;
    private final Map<Shape, @Nullable Known[]> known = new LinkedHashMap<>();
    private @Nullable WasteModel wasteModel;
    private @Nullable ScarcityPrice scarcityPrice;
    private long fleet = -1;

    /// The score of a candidate at one version of its node.
    private static final class Known {
        final long version;
        final Grant grant;
        final double gain;
        final int[] lost;

        Known(long version, Grant grant, double gain, int[] lost) {
            this.version = version;
            this.grant = grant;
            this.gain = gain;
            this.lost = lost;
        }
    }

    /// @param given the typical workload; null to use the one that the ledger has counted
    public ExpectedWaste(@Nullable TypicalWorkload given) {
        this.given = given;
    }

    @Override
    public String name() {
        return "expected-waste";
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        WasteModel tables = waste(cluster);
        ScarcityPrice prices = reserve(cluster);
        prices.look(cluster.nodes().all());
        @Nullable Known[] before = known.getOrDefault(shape, new @Nullable Known[0]);
        for (int i = 0; i < candidates.size(); i++) {
            Candidate candidate = candidates.get(i);
            int at = candidate.node().index();
            if (at >= before.length) {
                before = Arrays.copyOf(before, Math.max(at + 1, before.length * 2));
            }
            Known one = before[at];
            if (one == null
                    || one.version != candidate.node().version()
                    || candidate.node().isClaimed()
                    || !one.grant.equals(candidate.grant())) {
                one = workOut(shape, candidate, tables, prices);
                before[at] = one;
            }
            double worth = Math.floor((one.gain - prices.price(one.lost)) / SAME);
            cost[i] = Math.clamp(0.5 - worth / MOST, 0, 1);
        }
        if (known.size() >= MOST_SHAPES) {
            known.clear();
        }
        known.put(shape, before);
    }

    private static Known workOut(
            Shape shape, Candidate candidate, WasteModel tables, ScarcityPrice prices) {
        NodeView node = candidate.node();
        RemainingCapacity remainingCapacity = RemainingCapacity.of(node);
        double now = tables.of(remainingCapacity);
        remainingCapacity.take(candidate.grant(), shape.host().milliCpu());
        return new Known(
                node.version(),
                candidate.grant(),
                now - tables.of(remainingCapacity),
                prices.lost(node, remainingCapacity));
    }

    /// The tables for the present typical workload.
    WasteModel waste(ClusterView cluster) {
        TypicalWorkload typicalWorkload = given == null ? cluster.typicalWorkload() : given;
        WasteModel tables = wasteModel;
        if (tables == null || tables.typicalWorkload().version() != typicalWorkload.version()) {
            tables = new WasteModel(typicalWorkload);
            wasteModel = tables;
            scarcityPrice = null;
            known.clear();
        }
        return tables;
    }

    private ScarcityPrice reserve(ClusterView cluster) {
        ScarcityPrice prices = scarcityPrice;
        if (prices == null || cluster.nodes().version() != fleet) {
            prices = new ScarcityPrice(waste(cluster).typicalWorkload(), models(cluster));
            scarcityPrice = prices;
            fleet = cluster.nodes().version();
            known.clear();
        }
        return prices;
    }

    private static List<GpuModel> models(ClusterView cluster) {
        var models = new LinkedHashSet<GpuModel>();
        for (NodeView node : cluster.nodes().all()) {
            for (Gpu gpu : node.facts().gpus()) {
                models.add(gpu.model());
            }
        }
        return new ArrayList<>(models);
    }
}
