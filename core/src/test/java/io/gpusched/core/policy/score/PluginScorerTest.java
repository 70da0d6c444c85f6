package io.gpusched.core.policy.score;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.PreferredLabel;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;

import org.junit.jupiter.api.Test;

import java.util.List;

final class PluginScorerTest {
    private final TestCluster cluster = aCluster("n1: 1×A100, n2: 1×A100, n3: 1×A100, n4: 1×A100");

    /// A scorer that writes these costs, as far as there are any.
    private record Fixed(List<Double> costs) implements Scorer {
        @Override
        public String name() {
            return "fixed";
        }

        @Override
        public boolean likesRoom() {
            return true;
        }

        @Override
        public List<PreferredLabel> wishes(Job job, ClusterView cluster) {
            if (job.priority() == 13) {
                throw new IllegalStateException("unlucky");
            }
            return List.of(new PreferredLabel("disk", "fast"));
        }

        @Override
        public void score(
                Job job,
                Shape shape,
                List<Candidate> candidates,
                ClusterView cluster,
                double[] cost) {
            for (int i = 0; i < costs.size(); i++) {
                cost[i] = costs.get(i);
            }
        }
    }

    @Test
    void costsAreBroughtIntoBounds() {
        assertThat(new PluginScorer(new Fixed(List.of(-1.0, 7.0, 0.3, Double.NaN))))
                .on(aJob(), cluster)
                .costs("n1", 0)
                .costs("n2", 1)
                .costs("n3", 0.3)
                .costs("n4", 0.5);
    }

    @Test
    void aNodeThatItSaysNothingOfIsNeutral() {
        assertThat(new PluginScorer(new Fixed(List.of(0.1))))
                .on(aJob(), cluster)
                .costs("n1", 0.1)
                .costs("n2", 0.5);
    }

    @Test
    void itCannotWriteBeyondTheCandidates() {
        var scorer = new PluginScorer(new Fixed(List.of(0.0, 0.0, 0.0, 0.0, 0.0)));
        assertThatThrownBy(() -> assertThat(scorer).on(aJob(), cluster))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void wishesThatFailAreNone() {
        var scorer = new PluginScorer(new Fixed(List.of()));
        assertThat(scorer.wishes(aJob().waiting(1, cluster.now()), cluster.state()))
                .containsExactly(new PreferredLabel("disk", "fast"));
        assertThat(scorer.wishes(aJob().priority(13).waiting(1, cluster.now()), cluster.state()))
                .isEmpty();
        assertThat(scorer.likesRoom()).isTrue();
        assertThat(scorer.name()).isEqualTo("fixed");
    }
}
