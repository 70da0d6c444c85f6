package io.gpusched.core.policy.score;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import org.junit.jupiter.api.Test;

final class ScarceResourcesTest {
    private final ScarceResources scorer = new ScarceResources();

    @Test
    void smallGpusArePreferredWhereTheySuffice() {
        assertThat(scorer)
                .on(aJob(), aCluster("large: 4×A100-80GB, small: 8×A100-40GB"))
                .costs("large", 1)
                .costs("small", 0.5);
    }

    @Test
    void aTaskWithoutGpusIsKeptOffGpuNodes() {
        assertThat(scorer)
                .on(aJob().gpus(0), aCluster(aNode("gpus: 4×A100-80GB"), aNode("host").gpus(0)))
                .costs("gpus", 1)
                .costs("host", 0);
    }

    @Test
    void amongNodesWithoutGpusAllAreAlike() {
        assertThat(scorer)
                .on(aJob().gpus(0), aCluster(aNode("n1").gpus(0), aNode("n2").gpus(0).cores(2)))
                .isIndifferent()
                .costs("n1", 0);
    }
}
