package io.gpusched.core.kit.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Fitter;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.policy.fit.DefaultFitter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a scorer thinks of the nodes that could take a job's first task.
public final class ScorerAssert {
    /// Costs are written at most that far into an array; what lies beyond is not the scorer's.
    private static final int BEYOND = 3;

    private final Scorer scorer;
    private final Fitter fitter;

    ScorerAssert(Scorer scorer) {
        this(scorer, new DefaultFitter(false, DefaultFitter.Whole.CONNECTED));
    }

    private ScorerAssert(Scorer scorer, Fitter fitter) {
        this.scorer = scorer;
        this.fitter = fitter;
    }

    /// With GPUs chosen by this fitter instead of the usual one.
    public ScorerAssert withGpusBy(Fitter other) {
        return new ScorerAssert(scorer, other);
    }

    public Costs on(JobBuilder job, TestCluster cluster) {
        return on(job.waiting(cluster.state().nextJob().number(), cluster.now()), cluster);
    }

    /// Scores all nodes on which the job's first task fits.
    public Costs on(Job job, TestCluster cluster) {
        Shape shape = job.spec().roles().getFirst().shape();
        var candidates = new ArrayList<Candidate>();
        for (var node : cluster.state().nodes().all()) {
            Grant grant = fitter.fit(shape, node, cluster.state());
            if (grant != null) {
                candidates.add(new Candidate(node, grant));
            }
        }
        assertThat(candidates).as("nodes that could take %s", shape).isNotEmpty();
        double[] costs = costs(job, shape, candidates, cluster);
        var byName = new LinkedHashMap<String, Double>();
        for (int i = 0; i < candidates.size(); i++) {
            Candidate candidate = candidates.get(i);
            byName.put(candidate.node().facts().id().name(), costs[i]);
            if (scorer.local()) {
                assertThat(costs(job, shape, List.of(candidate), cluster)[0])
                        .as("%s is local, so the cost of %s alone", scorer.name(), byName.keySet())
                        .isEqualTo(costs[i]);
            }
        }
        return new Costs(scorer.name(), byName);
    }

    private double[] costs(Job job, Shape shape, List<Candidate> candidates, TestCluster cluster) {
        var costs = new double[candidates.size() + BEYOND];
        Arrays.fill(costs, Double.NaN);
        scorer.score(job, shape, candidates, cluster.state(), costs);
        for (int i = 0; i < costs.length; i++) {
            if (i < candidates.size()) {
                assertThat(costs[i])
                        .as("cost of %s", candidates.get(i).node().facts().id())
                        .isBetween(0.0, 1.0);
            } else {
                assertThat(costs[i]).as("beyond the candidates").isNaN();
            }
        }
        return costs;
    }

    /// What each node costs.
    public static final class Costs {
        private static final double SAME = 1e-9;

        private final String scorer;
        private final Map<String, Double> byNode;

        private Costs(String scorer, Map<String, Double> byNode) {
            this.scorer = scorer;
            this.byNode = byNode;
        }

        public Preferred prefers(String node) {
            return new Preferred(node);
        }

        public Costs costs(String node, double expected) {
            return costs(node, expected, SAME);
        }

        public Costs costs(String node, double expected, double tolerance) {
            assertThat(cost(node))
                    .as("%s of %s in %s", scorer, node, byNode)
                    .isCloseTo(expected, within(tolerance));
            return this;
        }

        /// All nodes cost exactly the same.
        public Costs isIndifferent() {
            assertThat(byNode.values().stream().distinct()).as("costs %s", byNode).hasSize(1);
            return this;
        }

        private double cost(String node) {
            Double cost = byNode.get(node);
            if (cost == null) {
                throw new AssertionError(node + " was no candidate; there were " + byNode);
            }
            return cost;
        }

        /// The better node.
        public final class Preferred {
            private final String node;

            private Preferred(String node) {
                this.node = node;
            }

            public Costs over(String other) {
                assertThat(cost(node))
                        .as("%s prefers %s over %s in %s", scorer, node, other, byNode)
                        .isLessThan(cost(other));
                return Costs.this;
            }
        }
    }
}
