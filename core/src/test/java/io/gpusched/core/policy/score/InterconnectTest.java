package io.gpusched.core.policy.score;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.GpuRequest;

import org.junit.jupiter.api.Test;

final class InterconnectTest {
    private final Interconnect scorer = new Interconnect();
    private final TestCluster cluster =
            aCluster(
                    aNode("switched: 8×A100").wired(),
                    aNode("meshed: 4×A100").wired(),
                    aNode("sockets: 2×L4").wired(),
                    aNode("untold: 8×A100"));

    @Test
    void gpusThatTalkFastArePreferred() {
        assertThat(scorer)
                .on(aJob().gpus(2), cluster)
                .costs("switched", 0)
                .costs("meshed", 1 - 420 / 1220.0)
                .costs("sockets", 1 - 10 / 1220.0)
                .costs("untold", 1);
    }

    @Test
    void theMeanOverAllPairsCounts() {
        // Four of eight stay on one socket; of four, four of six pairs cross sockets.
        assertThat(scorer)
                .on(aJob().gpus(4), cluster)
                .costs("switched", 0)
                .costs("meshed", 1 - (2 * 420 + 4 * 410) / 6.0 / 1220);
    }

    @Test
    void oneGpuAndPartsOfGpusDoNotCare() {
        assertThat(scorer).on(aJob().gpus(1), cluster).isIndifferent().costs("untold", 0.5);
        assertThat(scorer)
                .on(
                        aJob().asking(GpuRequest.shares(500, 0, 2)),
                        aCluster(aNode("n1: 8×A100-80GB").wired(), aNode("n2: 8×A100-80GB")))
                .isIndifferent()
                .costs("n1", 0.5);
    }
}
