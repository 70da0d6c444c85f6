package io.gpusched.core.policy.score;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import org.junit.jupiter.api.Test;

final class CoolFirstTest {
    private final CoolFirst scorer = new CoolFirst();

    @Test
    void theHeatOfNeighboursIsAThirdOfTheCost() {
        assertThat(scorer)
                .on(aJob().gpus(2), aCluster(aNode("n1: 4×A100").warm(2).hot(3), aNode("n2")))
                .costs("n1", 0.125)
                .costs("n2", 0);
    }

    @Test
    void theHeatOfTheGpusThemselvesIsTwoThirds() {
        assertThat(scorer)
                .on(aJob().gpus(2), aCluster(aNode("n1: 4×A100").warm(0).hot(3)))
                .costs("n1", (2 * 0.25 + 1.5 / 4) / 3);
        assertThat(scorer)
                .on(aJob().gpus(4), aCluster(aNode("n1: 4×A100").hot(0, 1, 2, 3)))
                .costs("n1", 1);
    }

    @Test
    void aTaskWithoutGpusGoesByTheWholeNode() {
        assertThat(scorer)
                .on(aJob().gpus(0), aCluster(aNode("n1: 4×A100").warm(2).hot(3)))
                .costs("n1", 0.375);
    }
}
