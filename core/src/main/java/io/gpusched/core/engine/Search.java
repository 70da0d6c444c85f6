package io.gpusched.core.engine;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Slot;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.Term;
import io.gpusched.core.policy.Weighted;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.NodeIndex;
import io.gpusched.core.state.NodeView;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Finds the best node for one task.
///
/// It walks the index from the fullest nodes that could do to the emptiest and stops when it has
/// enough candidates: a node with fewer idle GPUs left over is the better fit, so the best are met
/// first. What only depends on a node's description is asked once per group of equal nodes.
final class Search {
    /// Enough to choose from. More would mostly add worse fits.
    private static final int ENOUGH = 16;

    private final ClusterState state;
    private final Policy policy;
    private final List<Filter> fixed = new ArrayList<>();
    private final List<Filter> changing = new ArrayList<>();
    private final Map<Shape, boolean[]> suits = new LinkedHashMap<>();
    private final List<Candidate> candidates = new ArrayList<>();
    private double[] costs = new double[64];
    private double[] totals = new double[64];
    private long suitsVersion = -1;

    long nodesLookedAt;
    long candidatesScored;

    Search(ClusterState state, Policy policy) {
        this.state = state;
        this.policy = policy;
        for (Filter filter : policy.filters()) {
            (filter.fixed() ? fixed : changing).add(filter);
        }
    }

    /// The best place for a task of `shape`, and the terms that decided; null when there is none.
    @Nullable Choice best(Job job, Shape shape, int role, int rank) {
        candidates.clear();
        gather(shape);
        if (candidates.isEmpty()) {
            return null;
        }
        int best = cheapest(job, shape);
        Candidate chosen = candidates.get(best);
        var slot = new Slot(chosen.node().facts().id(), role, rank, chosen.grant(), shape.host());
        return new Choice(slot, terms(job, shape, best));
    }

    record Choice(Slot slot, List<Term> terms) {}

    /// What the task would hold on the node; null when the node refuses it.
    @Nullable Grant fit(Shape shape, NodeView node) {
        nodesLookedAt++;
        for (Filter filter : changing) {
            if (refusal(filter, shape, node) != null) {
                return null;
            }
        }
        return policy.fitter().fit(shape, node);
    }

    /// A rule that throws is a rule that says no: one broken plug-in must not stop the scheduler.
    static @Nullable Refusal refusal(Filter filter, Shape shape, NodeView node) {
        try {
            return filter.refuse(shape, node);
        } catch (Check.Broken broken) {
            throw broken;
        } catch (RuntimeException failed) {
            return Refusal.untilFleet(
                    "plugin-failed", filter.getClass().getSimpleName() + " failed: " + failed);
        }
    }

    /// For each group of nodes described alike, whether the shape may go there at all.
    boolean[] suits(Shape shape) {
        NodeIndex index = state.nodeIndex();
        if (index.version() != suitsVersion || suits.size() > 10_000) {
            suits.clear();
            suitsVersion = index.version();
        }
        return suits.computeIfAbsent(shape, this::askFixedFilters);
    }

    private boolean[] askFixedFilters(Shape shape) {
        NodeIndex index = state.nodeIndex();
        var answers = new boolean[index.groups()];
        for (int group = 0; group < answers.length; group++) {
            NodeView sample = index.sample(group);
            boolean suits = sample != null;
            for (Filter filter : fixed) {
                suits = suits && sample != null && refusal(filter, shape, sample) == null;
            }
            answers[group] = suits;
        }
        return answers;
    }

    private void gather(Shape shape) {
        boolean[] suits = suits(shape);
        int most = -1;
        for (int group = 0; group < suits.length; group++) {
            most = suits[group] ? Math.max(most, state.nodeIndex().mostIdle(group)) : most;
        }
        for (int idle = shape.gpus().devices(); idle <= most; idle++) {
            for (int group = 0; group < suits.length; group++) {
                if (suits[group] && idle <= state.nodeIndex().mostIdle(group)) {
                    gather(shape, group, idle);
                }
            }
            if (candidates.size() >= ENOUGH) {
                return;
            }
        }
    }

    private void gather(Shape shape, int group, int idle) {
        NodeIndex index = state.nodeIndex();
        int found = 0;
        for (int at = index.next(group, idle, 0); at >= 0; at = index.next(group, idle, at + 1)) {
            NodeView node = index.member(group, at);
            Grant grant = fit(shape, node);
            if (grant != null) {
                candidates.add(new Candidate(node, grant));
                if (++found == ENOUGH) {
                    return;
                }
            }
        }
    }

    private int cheapest(Job job, Shape shape) {
        int n = candidates.size();
        if (totals.length < n) {
            totals = new double[n * 2];
            costs = new double[n * 2];
        }
        Arrays.fill(totals, 0, n, 0);
        for (Weighted weighted : policy.scorers()) {
            weighted.scorer().score(job, shape, candidates, state, costs);
            for (int i = 0; i < n; i++) {
                totals[i] += weighted.weight() * costs[i];
            }
        }
        candidatesScored += n;
        int best = 0;
        for (int i = 1; i < n; i++) {
            if (totals[i] < totals[best]
                    || (totals[i] == totals[best]
                            && earlier(candidates.get(i), candidates.get(best)))) {
                best = i;
            }
        }
        return best;
    }

    private static boolean earlier(Candidate one, Candidate other) {
        return one.node().index() < other.node().index();
    }

    private List<Term> terms(Job job, Shape shape, int chosen) {
        var terms = new ArrayList<Term>(policy.scorers().size());
        for (Weighted weighted : policy.scorers()) {
            weighted.scorer().score(job, shape, candidates, state, costs);
            terms.add(new Term(weighted.scorer().name(), weighted.weight(), costs[chosen]));
        }
        return terms;
    }
}
