package io.gpusched.core.policy.score;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.MigConfig;

import org.junit.jupiter.api.Test;

final class AvailabilityTest {
    private final Availability scorer = new Availability();

    @Test
    void theMoreIdleGpusTheBetter() {
        assertThat(scorer)
                .on(
                        aJob(),
                        aCluster(
                                aNode("n1: 8×A100-80GB"),
                                aNode("n2: 8×A100-80GB").busy(0, 1, 2, 3),
                                aNode("n3: 8×A100-80GB").busy(0, 1, 2, 3, 4, 5, 6)))
                .costs("n1", 0)
                .costs("n2", 0.5)
                .costs("n3", 0.875);
    }

    @Test
    void halfOfTheCostIsGpuMemory() {
        assertThat(scorer)
                .on(aJob(), aCluster("n1: 4×A100-80GB, n2: 4×A100-40GB"))
                .costs("n1", 0)
                .costs("n2", 0.25);
    }

    @Test
    void forSharesWhatSharedGpusHaveLeftCounts() {
        var half = aJob().asking(GpuRequest.shares(500, 0, 1));
        assertThat(scorer)
                .on(
                        half,
                        aCluster(
                                aNode("n1: 1×A100-80GB"),
                                aNode("n2: 1×A100-80GB").running(half, "0")))
                .costs("n1", 0)
                .costs("n2", 0.5);
    }

    @Test
    void forSlicesFreePositionsCount() {
        var large = aJob().asking(GpuRequest.slices("3g.40gb", 1));
        assertThat(scorer)
                .on(
                        aJob().asking(GpuRequest.slices("1g.10gb", 1)),
                        aCluster(
                                aNode("n1: 1×A100-80GB").label(MigConfig.LABEL, "mixed"),
                                aNode("n2: 1×A100-80GB")
                                        .label(MigConfig.LABEL, "mixed")
                                        .running(large, "0:3g.40gb@4")))
                .costs("n1", 0)
                .costs("n2", 3.0 / 7);
    }

    @Test
    void forATaskWithoutGpusCoresCount() {
        assertThat(scorer)
                .on(
                        aJob().gpus(0),
                        aCluster(
                                aNode("n1").cores(64),
                                aNode("n2").cores(64).running(aJob().gpus(0).cores(48), "")))
                .costs("n1", 0)
                .costs("n2", 0.75);
    }

    @Test
    void emptyNodesAreLookedAtFirst() {
        assertThat(scorer.likesRoom()).isTrue();
    }
}
