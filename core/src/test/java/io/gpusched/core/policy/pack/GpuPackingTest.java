package io.gpusched.core.policy.pack;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.model.GpuRequest;

import org.junit.jupiter.api.Test;

final class GpuPackingTest {
    private final GpuPacking scorer = new GpuPacking();

    private static JobBuilder share(int milli) {
        return aJob().asking(GpuRequest.shares(milli, 0, 1));
    }

    @Test
    void usedGpusGoBeforeUsedNodesAndThoseBeforeIdleOnes() {
        assertThat(scorer)
                .on(
                        share(300),
                        aCluster(
                                aNode("gpu: 8×A100").running(share(500), "0"),
                                aNode("node: 8×A100").busy(0),
                                aNode("idle: 8×A100")))
                .costs("gpu", 0.05)
                .costs("node", 0.51)
                .costs("idle", 0.75);
    }

    @Test
    void theFullerGpuIsPreferred() {
        assertThat(scorer)
                .on(
                        share(300),
                        aCluster(
                                aNode("fuller: 1×A100").running(share(700), "0"),
                                aNode("emptier: 1×A100").running(share(200), "0")))
                .costs("fuller", 0.03)
                .costs("emptier", 0.08);
    }

    @Test
    void theFewerIdleGpusAreBrokenIntoTheBetter() {
        assertThat(scorer)
                .on(aJob().gpus(2), aCluster(aNode("n1: 8×A100").busy(0)))
                .costs("n1", 0.52);
        assertThat(scorer)
                .on(aJob().gpus(1), aCluster("small: 4×A100, large: 8×A100"))
                .costs("small", 0.71)
                .costs("large", 0.75);
    }

    @Test
    void aTaskWithoutGpusIsIndifferent() {
        assertThat(scorer)
                .on(aJob().gpus(0), aCluster(aNode("n1: 8×A100").busy(0), aNode("n2: 8×A100")))
                .isIndifferent()
                .costs("n1", 1);
    }
}
