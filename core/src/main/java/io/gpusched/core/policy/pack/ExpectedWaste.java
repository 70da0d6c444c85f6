package io.gpusched.core.policy.pack;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;
import io.gpusched.core.state.NodeView;
import io.gpusched.core.state.Typical;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// Prefers the node that is expected to waste the least in the end: see [Waste] for what will be
/// left over, and [Reserve] for places that others cannot do without.
///
/// Nodes that differ by less than a twenty-fifth of a GPU count as equal, and the first in the
/// ledger gets the task: what is expected is not known better than that, and filling nodes in one
/// order keeps the others whole.
///
/// What it remembers between calls follows from the ledger and never changes a decision.
public final class ExpectedWaste implements Scorer {
    private static final double SAME = 40;

    /// The worst and best scores that can be told apart.
    private static final double MOST = 20_000;

    private static final int MOST_SHAPES = 4096;

    private final @Nullable Typical given;
    private final Map<Shape, @Nullable Known[]> known = new LinkedHashMap<>();
    private @Nullable Waste waste;
    private @Nullable Reserve reserve;
    private long fleet = -1;

    /// What a candidate came to at one version of its node.
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

    /// @param given what is typical; null to go by what the ledger has counted
    public ExpectedWaste(@Nullable Typical given) {
        this.given = given;
    }

    @Override
    public String name() {
        return "expected-waste";
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        Waste tables = waste(cluster);
        Reserve prices = reserve(cluster);
        prices.look(cluster.nodes());
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

    private static Known workOut(Shape shape, Candidate candidate, Waste tables, Reserve prices) {
        NodeView node = candidate.node();
        Left left = Left.of(node);
        double now = tables.of(left);
        left.take(candidate.grant(), shape.host().milliCpu());
        return new Known(
                node.version(), candidate.grant(), now - tables.of(left), prices.lost(node, left));
    }

    /// The tables for what is typical now.
    Waste waste(ClusterView cluster) {
        Typical typical = given == null ? cluster.typical() : given;
        Waste tables = waste;
        if (tables == null || tables.typical().version() != typical.version()) {
            tables = new Waste(typical);
            waste = tables;
            reserve = null;
            known.clear();
        }
        return tables;
    }

    private Reserve reserve(ClusterView cluster) {
        Reserve prices = reserve;
        if (prices == null || cluster.fleetVersion() != fleet) {
            prices = new Reserve(waste(cluster).typical(), models(cluster));
            reserve = prices;
            fleet = cluster.fleetVersion();
            known.clear();
        }
        return prices;
    }

    private static List<GpuModel> models(ClusterView cluster) {
        var models = new LinkedHashSet<GpuModel>();
        for (NodeView node : cluster.nodes()) {
            for (Gpu gpu : node.facts().gpus()) {
                models.add(gpu.model());
            }
        }
        return new ArrayList<>(models);
    }
}
