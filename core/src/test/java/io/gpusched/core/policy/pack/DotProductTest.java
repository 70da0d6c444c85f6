package io.gpusched.core.policy.pack;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import org.junit.jupiter.api.Test;

final class DotProductTest {
    private final DotProduct scorer = new DotProduct();

    @Test
    void theNodeThatSuitsTheTaskLeastIsPreferred() {
        assertThat(scorer)
                .on(
                        aJob().gpus(4).cores(64),
                        aCluster(
                                aNode("large: 8×A100").cores(128),
                                aNode("small: 4×A100").cores(64)))
                .costs("large", 0.5)
                .costs("small", 0.25);
    }

    @Test
    void whatTheTaskDoesNotAskForDoesNotCount() {
        assertThat(scorer)
                .on(
                        aJob().gpus(4).cores(0),
                        aCluster(aNode("n1: 8×A100").cores(128), aNode("n2: 8×A100").cores(1)))
                .isIndifferent()
                .costs("n1", 0.25);
    }

    @Test
    void nodesLargerThanThoseOfTheExperimentStayInBounds() {
        assertThat(scorer)
                .on(
                        aJob().gpus(12).cores(200),
                        aCluster(aNode("n1: 16×A100").cores(256), aNode("n2: 16×A100").cores(256)))
                .isIndifferent()
                .costs("n1", 1);
    }
}
