package io.gpusched.core.place;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.TopologyLevels;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.policy.WeightedScorer;
import io.gpusched.core.state.ClusterView;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/// Nodes that a scorer prefers by name.
final class NamedNodesTest {
    private static final int NODES = 2_000;
    private static final int BREADTH = 16;

    /// Prefers all nodes, and counts how many of them were looked at.
    private static final class PrefersAll implements Scorer {
        private final List<NodeId> all = new ArrayList<>();
        private int lookedAt;

        @Override
        public String name() {
            return "all";
        }

        @Override
        public Iterable<NodeId> preferredNodes(Job job, ClusterView cluster) {
            return () -> all.stream().peek(_ -> lookedAt++).iterator();
        }

        @Override
        public void score(
                Job job,
                Shape shape,
                List<Candidate> candidates,
                ClusterView cluster,
                double[] cost) {}
    }

    /// A popular model may be cached everywhere; a placement must not look at all nodes then.
    @Test
    void aPlacementLooksAtFewOfManyPreferredNodes() {
        var scorer = new PrefersAll();
        var nodes = new Node[NODES];
        for (int i = 0; i < NODES; i++) {
            nodes[i] = aNode("n" + i).build();
            scorer.all.add(nodes[i].id());
        }
        Scene scene = Scene.with(nodes);
        var state = scene.engine().state();
        var policy =
                scene.engine().policy().toBuilder()
                        .scorers(List.of(new WeightedScorer(scorer, 1)))
                        .breadth(BREADTH)
                        .build();
        var nodeSearch = new NodeSearch(state, policy, TopologyLevels.DEFAULT);
        var candidates = new ArrayList<NodeId>();
        new CandidateSelector(state, policy)
                .gather(
                        aJob().waiting(1, scene.now()),
                        aJob().shape(),
                        nodeSearch.suits(aJob().shape()),
                        node -> candidates.add(node.facts().id()));
        assertThat(candidates).hasSize(BREADTH).doesNotHaveDuplicates();
        assertThat(scorer.lookedAt).isLessThan(300);
    }
}
