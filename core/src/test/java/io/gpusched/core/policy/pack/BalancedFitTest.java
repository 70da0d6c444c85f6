package io.gpusched.core.policy.pack;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import org.junit.jupiter.api.Test;

final class BalancedFitTest {
    private final BalancedFit scorer = new BalancedFit();

    @Test
    void theNodeThatIsLeftWithTheLeastIsPreferred() {
        assertThat(scorer)
                .on(
                        aJob().gpus(4).cores(32),
                        aCluster(
                                aNode("large: 8×A100").cores(96), aNode("exact: 4×A100").cores(32)))
                .costs("large", 0.5)
                .costs("exact", 0);
    }

    @Test
    void coresCountAsMuchAsGpus() {
        assertThat(scorer)
                .on(
                        aJob().gpus(4).cores(0),
                        aCluster(aNode("gpus: 8×A100").cores(0), aNode("cores: 4×A100").cores(64)))
                .isIndifferent()
                .costs("gpus", 0.25);
    }

    @Test
    void nodesLargerThanThoseOfTheExperimentStayInBounds() {
        assertThat(scorer)
                .on(
                        aJob().gpus(1),
                        aCluster(
                                aNode("idle: 16×A100").cores(256),
                                aNode("used: 16×A100")
                                        .cores(256)
                                        .running(aJob().gpus(11).cores(0), "0-10")))
                .costs("idle", 1)
                .prefers("used")
                .over("idle");
    }
}
