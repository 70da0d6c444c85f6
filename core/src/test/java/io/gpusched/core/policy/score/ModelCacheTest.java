package io.gpusched.core.policy.score;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.Job;
import io.gpusched.core.policy.PreferredLabel;

import org.junit.jupiter.api.Test;

final class ModelCacheTest {
    private final ModelCache scorer = new ModelCache();
    private final TestCluster cluster =
            aCluster(
                    aNode("has").label(ModelCache.CACHED, "mixtral, llama-70b"),
                    aNode("others").label(ModelCache.CACHED, "mixtral,llama-7b"),
                    aNode("none"));

    @Test
    void theNodeThatHasTheModelIsPreferred() {
        assertThat(scorer)
                .on(aJob().label(ModelCache.MODEL, "llama-70b"), cluster)
                .costs("has", 0)
                .costs("others", 1)
                .costs("none", 1);
    }

    @Test
    void whereNoModelIsNamedAnyCacheIsBetterThanNone() {
        assertThat(scorer)
                .on(aJob(), cluster)
                .costs("has", 0.1)
                .costs("others", 0.1)
                .costs("none", 1);
    }

    @Test
    void aPartOfANameIsNoHit() {
        assertThat(scorer)
                .on(aJob().label(ModelCache.MODEL, "llama"), cluster)
                .isIndifferent()
                .costs("has", 1);
    }

    @Test
    void nodesThatHaveTheModelAreAskedFor() {
        Job job = aJob().label(ModelCache.MODEL, "gpt").waiting(1, cluster.now());
        assertThat(scorer.wishes(job, cluster.state()))
                .containsExactly(new PreferredLabel(ModelCache.CACHED, "gpt"));
    }
}
