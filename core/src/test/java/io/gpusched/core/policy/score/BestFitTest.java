package io.gpusched.core.policy.score;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import org.junit.jupiter.api.Test;

final class BestFitTest {
    private final BestFit scorer = new BestFit();

    @Test
    void theNodeThatIsLeftWithTheFewestGpusIsPreferred() {
        assertThat(scorer)
                .on(
                        aJob().gpus(2),
                        aCluster(
                                aNode("idle: 8×A100"),
                                aNode("used: 8×A100").busy(0, 1, 2, 3, 4),
                                aNode("full: 8×A100").busy(0, 1, 2, 3, 4, 5)))
                .costs("idle", 6.5 / 9)
                .costs("used", 1.5 / 9)
                .costs("full", 0.5 / 9);
    }

    @Test
    void amongEqualsTheNodeWithFewerFreeCoresIsPreferred() {
        assertThat(scorer)
                .on(
                        aJob().gpus(2),
                        aCluster(
                                aNode("idle: 8×A100").cores(64),
                                aNode("used: 8×A100")
                                        .cores(64)
                                        .running(aJob().gpus(0).cores(32), "")))
                .prefers("used")
                .over("idle")
                .costs("used", 6.25 / 9);
    }

    @Test
    void aGpuCountsMoreThanAllCores() {
        assertThat(scorer)
                .on(
                        aJob().gpus(1),
                        aCluster(
                                aNode("cores: 8×A100")
                                        .cores(64)
                                        .running(aJob().gpus(0).cores(63), ""),
                                aNode("gpus: 8×A100").busy(0)))
                .prefers("gpus")
                .over("cores");
    }

    @Test
    void equalNodesCostTheSame() {
        assertThat(scorer).on(aJob(), aCluster("n1: 8×A100, n2: 8×H100")).isIndifferent();
    }
}
