package io.gpusched.core.place;

import io.gpusched.core.learn.JobProfiles;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.TopologyLevels;
import io.gpusched.core.nodes.NodeIndex;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.ScoreTerm;
import io.gpusched.core.policy.UsesModel;
import io.gpusched.core.policy.WeightedScorer;
import io.gpusched.core.state.CapacityView;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Consumer;

/// Finds the best node for one task.
///
/// It walks the index from the fullest suitable nodes to the emptiest and stops when it has as many
/// candidates as the policy scores: a node with less left over is the better fit, so the best come
/// first. Filters that depend only on a node's description run once per group of equal nodes. A
/// policy that scores every node caches the result of each, and repeats it only for nodes that
/// changed.
public final class NodeSearch {
    private static final int MOST_WRITTEN = 1_000;

    /// The most cached fits over all shapes.
    private static final int MOST_REMEMBERED = 8_000_000;

    private static final double NEUTRAL = 0.5;

    /// More than the weights of all other scorers: a job stays on the GPU model it was assigned.
    private static final double ASSIGNED_MODEL = 10;

    private final ClusterState state;
    private final Policy policy;
    private final TopologyDomains topologyDomains;
    private final List<Filter> fixed = new ArrayList<>();
    private final List<Filter> changing = new ArrayList<>();
    private final boolean allLocal;
    private final double regionWeight;
    private final Map<Shape, Suitable> suits = new LinkedHashMap<>();
    private final Map<Shape, FitCache> memos = new LinkedHashMap<>();
    private final List<Candidate> candidates = new ArrayList<>();

    /// Terms in their journal form: most nodes are chosen for the same terms as many before.
    private final Map<List<ScoreTerm>, String> written = new LinkedHashMap<>();

    private final CandidateSelector candidateSelector;
    private final JobWeights jobWeights;

    /// The cost of each candidate by each scorer, and its failure, if any.
    private double[][] costs;

    private final String[] troubles;
    private double[] totals = new double[64];

    /// The index of the chosen candidate; -1 when it came from the cache.
    private int chosenAt = -1;

    /// The GPU model assigned to each of the first jobs in the queue.
    private SequencedMap<JobId, String> assignedModels = new LinkedHashMap<>();

    private long suitsVersion = -1;
    private long typicalVersion = -1;

    public long nodesLookedAt;
    public long candidatesScored;

    public NodeSearch(ClusterState state, Policy policy, TopologyLevels topologyLevels) {
        this.state = state;
        this.policy = policy;
        this.topologyDomains = new TopologyDomains(state, topologyLevels);
        for (Filter filter : policy.filters()) {
            (filter.fixed() ? fixed : changing).add(filter);
        }
        this.candidateSelector = new CandidateSelector(state, policy);
        this.jobWeights = new JobWeights(policy.scorers());
        this.costs = new double[policy.scorers().size()][64];
        this.troubles = new String[policy.scorers().size()];
        Arrays.fill(troubles, "");
        double weights = policy.scorers().stream().mapToDouble(WeightedScorer::weight).sum();
        this.regionWeight = PreferredRegions.weight(weights + ASSIGNED_MODEL);
        this.allLocal = policy.scorers().stream().allMatch(w -> w.scorer().local());
    }

    /// Assigns GPU models to jobs, which then start there where they fit.
    public void place(SequencedMap<JobId, String> onModels) {
        assignedModels = onModels;
    }

    ClusterState state() {
        return state;
    }

    /// Which nodes share a rack, a block, a zone.
    public TopologyDomains topologyDomains() {
        return topologyDomains;
    }

    /// The check of what the fleet could run if it were idle.
    public FleetCapacityCheck whenIdle() {
        return new FleetCapacityCheck(
                state, topologyDomains.topologyLevels(), () -> topologyDomains);
    }

    /// The best slot for a task of `shape`, and the terms of its score; null when there is none.
    @Nullable Choice best(Job job, Shape shape, CapacityView view) {
        candidates.clear();
        chosenAt = -1;
        Candidate chosen;
        if (policy.breadth() != Policy.EVERY_NODE) {
            Suitable suits = suits(shape);
            RecentFits recentFits = suits.recentFits;
            candidateSelector.gather(job, shape, suits, node -> add(shape, node, view, recentFits));
            chosen = bestGathered(job, shape, view);
        } else {
            chosen = allLocal ? bestRemembered(job, shape, view) : bestOfAll(job, shape, view);
        }
        if (chosen == null) {
            return null;
        }
        var slot = new Slot(chosen.node().facts().id(), 0, 0, chosen.grant(), shape.host());
        return new Choice(slot, terms(job, shape, chosen, view));
    }

    record Choice(Slot slot, List<ScoreTerm> terms) {}

    /// The terms of a slot that was chosen before, without other candidates to compare with.
    List<ScoreTerm> price(Job job, Shape shape, Slot slot, CapacityView view) {
        NodeView node = view.nodes().find(slot.node());
        chosenAt = -1;
        return node == null
                ? List.of()
                : terms(job, shape, new Candidate(node, slot.grant()), view);
    }

    /// What the task would hold on the node in this view; null when the node refuses it.
    public @Nullable Grant fit(Shape shape, NodeView node, CapacityView view) {
        nodesLookedAt++;
        NodeView shown = view.show(node);
        for (Filter filter : changing) {
            if (refusal(filter, shape, shown) != null) {
                return null;
            }
        }
        return policy.fitter().fit(shape, shown, view);
    }

    /// A filter that throws refuses the node: one broken plug-in must not stop the scheduler.
    public static @Nullable Refusal refusal(Filter filter, Shape shape, NodeView node) {
        try {
            return filter.refuse(shape, node);
        } catch (Check.Broken broken) {
            throw broken;
        } catch (RuntimeException | LinkageError | StackOverflowError failed) {
            return Refusal.untilFleet("plugin-failed", filter.name() + " failed: " + failed);
        }
    }

    /// The nodes that suit a shape at all, whatever is free there.
    public static final class Suitable {
        /// For each group of nodes with equal descriptions, whether it suits the shape.
        public final boolean[] groups;

        /// The nodes in them that suit; null when all do.
        private final NodeIndex.@Nullable Carriers only;

        private final Shape shape;

        /// The latest fits on some of them.
        private final RecentFits recentFits = new RecentFits();

        private Suitable(boolean[] groups, NodeIndex.@Nullable Carriers only, Shape shape) {
            this.groups = groups;
            this.only = only;
            this.shape = shape;
        }

        /// As [NodeIndex#next], for suitable nodes.
        int next(NodeIndex index, int group, int shelf, int from) {
            return only == null
                    ? index.next(group, shelf, from)
                    : index.next(group, shelf, only, from);
        }

        /// Whether this node suits.
        public boolean has(NodeIndex index, NodeView node) {
            int group = index.groupOf(node);
            return group >= 0
                    && groups[group]
                    && shape.host().fitsIn(node.facts().host())
                    && (!shape.selectsNodes() || shape.selects(node.facts().labels()));
        }
    }

    public Suitable suits(Shape shape) {
        NodeIndex index = state.nodes().index();
        if (index.version() != suitsVersion || suits.size() > 10_000) {
            suits.clear();
            memos.clear();
            suitsVersion = index.version();
        }
        return suits.computeIfAbsent(shape, this::askFixedFilters);
    }

    private Suitable askFixedFilters(Shape shape) {
        NodeIndex index = state.nodes().index();
        NodeIndex.Carriers only = index.having(shape);
        var answers = new boolean[index.groups()];
        for (int group = 0; group < answers.length; group++) {
            boolean suits = only == null || only.areIn(group);
            nodesLookedAt += suits ? 1 : 0;
            for (Filter filter : fixed) {
                suits = suits && refusal(filter, shape, index.sample(group)) == null;
            }
            answers[group] = suits;
        }
        return new Suitable(answers, only, shape);
    }

    private @Nullable Candidate bestGathered(Job job, Shape shape, CapacityView view) {
        if (candidates.isEmpty()) {
            return null;
        }
        score(job, shape, view);
        preferAssignedModel(job);
        preferRegions(job);
        int best = 0;
        for (int i = 1; i < candidates.size(); i++) {
            if (totals[i] < totals[best]
                    || (totals[i] == totals[best]
                            && earlier(candidates.get(i).node(), candidates.get(best).node()))) {
                best = i;
            }
        }
        chosenAt = best;
        return candidates.get(best);
    }

    private void preferAssignedModel(Job job) {
        String model = assignedModels.get(job.id());
        for (int i = 0; model != null && i < candidates.size(); i++) {
            totals[i] += ASSIGNED_MODEL * away(model, candidates.get(i));
        }
    }

    private void preferRegions(Job job) {
        for (int i = 0; PreferredRegions.has(job) && i < candidates.size(); i++) {
            Labels labels = candidates.get(i).node().facts().labels();
            totals[i] += regionWeight * PreferredRegions.cost(job, labels);
        }
    }

    private static double away(String model, Candidate one) {
        return JobProfiles.gpu(one.node(), one.grant()).equals(model) ? 0 : 1;
    }

    private @Nullable Candidate candidate(Shape shape, NodeView node, CapacityView view) {
        Grant grant = fit(shape, node, view);
        return grant == null ? null : new Candidate(view.show(node), grant);
    }

    private boolean add(Shape shape, NodeView node, CapacityView view, RecentFits recentFits) {
        if (!policy.fitter().local() || !recentFits.knows(node)) {
            recentFits.put(node, candidate(shape, node, view));
        }
        Candidate candidate = recentFits.candidate(node);
        if (candidate != null) {
            candidates.add(candidate);
        }
        return candidate != null;
    }

    private void forEveryNode(Shape shape, Consumer<NodeView> visitor) {
        boolean[] suits = suits(shape).groups;
        NodeIndex index = state.nodes().index();
        for (int group = 0; group < suits.length; group++) {
            int first = suits[group] ? index.next(group, 0) : -1;
            for (int at = first; at >= 0; at = index.next(group, at + 1)) {
                NodeView node = index.member(at);
                if (node.status().open()) {
                    visitor.accept(node);
                }
            }
        }
    }

    /// Scores only the nodes that changed since the last search.
    private @Nullable Candidate bestRemembered(Job job, Shape shape, CapacityView view) {
        if (PreferredRegions.has(job)) {
            return bestAnew(job, shape, view);
        }
        FitCache fitCache = memo(shape);
        forEveryNode(
                shape,
                node -> {
                    if (!fitCache.knows(node)) {
                        fitCache.put(node, null, 0);
                        Candidate candidate = candidate(shape, node, view);
                        if (candidate != null) {
                            candidates.add(candidate);
                        }
                    }
                });
        score(job, shape, view);
        for (int i = 0; i < candidates.size(); i++) {
            fitCache.put(candidates.get(i).node(), candidates.get(i), totals[i]);
        }
        return cheapest(shape, fitCache);
    }

    /// Scores every node for a job that prefers regions: cached costs are those of jobs that do
    /// not.
    private @Nullable Candidate bestAnew(Job job, Shape shape, CapacityView view) {
        forEveryNode(
                shape,
                node -> {
                    Candidate candidate = candidate(shape, node, view);
                    if (candidate != null) {
                        candidates.add(candidate);
                    }
                });
        return bestGathered(job, shape, view);
    }

    /// Scores every node that could run the task, but fits the task anew only on nodes that
    /// changed.
    private @Nullable Candidate bestOfAll(Job job, Shape shape, CapacityView view) {
        everyFit(shape, view, candidates::add);
        return bestGathered(job, shape, view);
    }

    /// Visits every node that could run a task of the shape, with what it would hold there.
    public void everyFit(Shape shape, CapacityView view, Consumer<Candidate> visitor) {
        FitCache fitCache = memo(shape);
        forEveryNode(
                shape,
                node -> {
                    if (!fitCache.knows(node)) {
                        fitCache.put(node, candidate(shape, node, view), 0);
                    }
                    Candidate candidate = fitCache.candidate(node);
                    if (candidate != null) {
                        visitor.accept(candidate);
                    }
                });
    }

    /// The costs of these candidates by the scorers that use the learned model.
    public double[] learnedCosts(Job job, Shape shape, List<Candidate> among, CapacityView view) {
        var sum = new double[among.size()];
        for (int s = 0; s < costs.length; s++) {
            WeightedScorer weightedScorer = policy.scorers().get(s);
            if (weightedScorer.scorer() instanceof UsesModel) {
                costs[s] = costs[s].length < sum.length ? new double[sum.length * 2] : costs[s];
                scoreBy(s, job, shape, among, view);
                for (int i = 0; i < sum.length; i++) {
                    sum[i] += weightedScorer.weight() * costs[s][i];
                }
            }
        }
        return sum;
    }

    private FitCache memo(Shape shape) {
        suits(shape);
        if (typicalVersion != state.typicalWorkload().version()) {
            memos.clear();
            typicalVersion = state.typicalWorkload().version();
        }
        FitCache known = memos.get(shape);
        if (known == null) {
            if ((long) memos.size() * state.nodes().all().size() > MOST_REMEMBERED) {
                memos.clear();
            }
            known = new FitCache();
            memos.put(shape, known);
        }
        return known;
    }

    private @Nullable Candidate cheapest(Shape shape, FitCache fitCache) {
        boolean[] suits = suits(shape).groups;
        NodeIndex index = state.nodes().index();
        Candidate best = null;
        double least = Double.POSITIVE_INFINITY;
        for (int group = 0; group < suits.length; group++) {
            int first = suits[group] ? index.next(group, 0) : -1;
            for (int at = first; at >= 0; at = index.next(group, at + 1)) {
                NodeView node = index.member(at);
                Candidate one = node.status().open() ? fitCache.candidate(node) : null;
                if (one != null) {
                    double cost = fitCache.cost(node);
                    if (best == null
                            || cost < least
                            || (cost == least && earlier(node, best.node()))) {
                        best = one;
                        least = cost;
                    }
                }
            }
        }
        return best;
    }

    private void score(Job job, Shape shape, CapacityView view) {
        int n = candidates.size();
        if (totals.length < n) {
            totals = new double[n * 2];
            costs = new double[policy.scorers().size()][n * 2];
        }
        Arrays.fill(totals, 0, n, 0);
        if (n == 0) {
            return;
        }
        double[] weights = jobWeights.of(job);
        for (int s = 0; s < costs.length; s++) {
            scoreBy(s, job, shape, candidates, view);
            double weight = weights[s];
            for (int i = 0; i < n; i++) {
                totals[i] += weight * costs[s][i];
            }
        }
        candidatesScored += n;
    }

    /// A scorer that throws counts as neutral: one broken plug-in must not stop the scheduler.
    private void scoreBy(
            int number, Job job, Shape shape, List<Candidate> among, CapacityView view) {
        try {
            policy.scorers().get(number).scorer().score(job, shape, among, view, costs[number]);
            troubles[number] = "";
        } catch (Check.Broken broken) {
            throw broken;
        } catch (RuntimeException | LinkageError | StackOverflowError failed) {
            Arrays.fill(costs[number], NEUTRAL);
            troubles[number] = "failed, counted as neutral: " + failed;
        }
    }

    private static boolean earlier(NodeView one, NodeView other) {
        return one.index() < other.index();
    }

    /// The terms of the chosen candidate. A cached one is scored again.
    private List<ScoreTerm> terms(Job job, Shape shape, Candidate chosen, CapacityView view) {
        var terms = new ArrayList<ScoreTerm>(costs.length);
        double[] weights = jobWeights.of(job);
        for (int s = 0; s < costs.length; s++) {
            if (chosenAt < 0) {
                scoreBy(s, job, shape, List.of(chosen), view);
            }
            WeightedScorer weightedScorer = policy.scorers().get(s);
            terms.add(
                    new ScoreTerm(
                            weightedScorer.scorer().name(),
                            weights[s],
                            costs[s][Math.max(0, chosenAt)],
                            troubles[s]));
        }
        String model = assignedModels.get(job.id());
        if (model != null) {
            terms.add(new ScoreTerm("together", ASSIGNED_MODEL, away(model, chosen), ""));
        }
        if (PreferredRegions.has(job)) {
            double away = PreferredRegions.cost(job, chosen.node().facts().labels());
            terms.add(new ScoreTerm(PreferredRegions.NAME, regionWeight, away, ""));
        }
        return terms;
    }

    /// The terms in their journal form.
    public String written(List<ScoreTerm> terms) {
        if (written.size() >= MOST_WRITTEN) {
            written.clear();
        }
        return written.computeIfAbsent(terms, ScoreTerm::written);
    }
}
