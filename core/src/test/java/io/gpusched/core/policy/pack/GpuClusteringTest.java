package io.gpusched.core.policy.pack;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.GpuRequest;

import org.junit.jupiter.api.Test;

final class GpuClusteringTest {
    private final GpuClustering scorer = new GpuClustering();
    private final TestCluster cluster =
            aCluster(
                    aNode("same: 8×A100").running(aJob().gpus(2), "0-1"),
                    aNode("both: 8×A100").running(aJob().gpus(2), "0-1").running(aJob(), "2"),
                    aNode("idle: 8×A100"),
                    aNode("other: 8×A100").running(aJob(), "0"));

    @Test
    void nodesThatRunTasksOfOneSizeArePreferredByThatSize() {
        assertThat(scorer)
                .on(aJob().gpus(2), cluster)
                .costs("same", 0.19)
                .costs("both", 0.41)
                .costs("idle", 0.75)
                .costs("other", 0.97);
    }

    @Test
    void allSharesAreOfOneSize() {
        assertThat(scorer)
                .on(
                        aJob().asking(GpuRequest.shares(200, 0, 1)),
                        aCluster(
                                aNode("shares: 8×A100")
                                        .running(aJob().asking(GpuRequest.shares(800, 0, 1)), "0"),
                                aNode("ones: 8×A100").running(aJob(), "0")))
                .costs("shares", 0.23)
                .costs("ones", 0.97);
    }

    @Test
    void aTaskWithoutGpusIsIndifferent() {
        assertThat(scorer).on(aJob().gpus(0), cluster).isIndifferent().costs("idle", 1);
    }

    @Test
    void nodesLargerThanThoseOfTheExperimentStayInBounds() {
        assertThat(scorer)
                .on(
                        aJob().gpus(2),
                        aCluster(
                                aNode("idle: 16×A100"),
                                aNode("other: 16×A100").running(aJob(), "0")))
                .costs("idle", 0.75)
                .costs("other", 1);
    }
}
