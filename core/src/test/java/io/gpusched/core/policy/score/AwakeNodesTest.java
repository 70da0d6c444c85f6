package io.gpusched.core.policy.score;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import org.junit.jupiter.api.Test;

final class AwakeNodesTest {
    @Test
    void aNodeOnWhichSomethingRunsIsPreferred() {
        assertThat(new AwakeNodes())
                .on(
                        aJob(),
                        aCluster(
                                aNode("asleep: 4×A100"),
                                aNode("awake: 4×A100").busy(0),
                                aNode("cores: 4×A100").running(aJob().gpus(0), "")))
                .costs("asleep", 1)
                .costs("awake", 0)
                .costs("cores", 0);
    }

    @Test
    void amongIdleNodesAllAreAlike() {
        assertThat(new AwakeNodes()).on(aJob(), aCluster("n1: 4×A100, n2: 8×H100")).isIndifferent();
    }
}
