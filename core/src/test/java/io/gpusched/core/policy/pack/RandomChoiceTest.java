package io.gpusched.core.policy.pack;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;

import org.junit.jupiter.api.Test;

import java.util.Objects;

final class RandomChoiceTest {
    private static JobBuilder share() {
        return aJob().asking(GpuRequest.shares(500, 0, 1));
    }

    private static long chosen(long seed) {
        TestCluster cluster = aCluster(aNode("4×A100").busy(1));
        var fitter = new ShareChoiceFitter(new RandomChoice(seed), true);
        Grant grant = fitter.fit(share().shape(), cluster.node("n1"), cluster.state());
        return Objects.requireNonNull(grant).mask();
    }

    @Test
    void everyGpuThatCouldTakeTheShareIsChosenAtTimes() {
        var counts = new int[4];
        for (int seed = 0; seed < 300; seed++) {
            counts[Long.numberOfTrailingZeros(chosen(seed))]++;
        }
        assertThat(counts[0]).isBetween(70, 130);
        assertThat(counts[1]).isZero();
        assertThat(counts[2]).isBetween(70, 130);
        assertThat(counts[3]).isBetween(70, 130);
    }

    @Test
    void theSameSeedChoosesTheSame() {
        for (int seed = 0; seed < 20; seed++) {
            assertThat(chosen(seed)).as("seed %s", seed).isEqualTo(chosen(seed));
        }
    }

    @Test
    void theOnlyGpuIsChosenWhateverTheSeed() {
        for (int seed = 0; seed < 20; seed++) {
            assertThat(new ShareChoiceFitter(new RandomChoice(seed), true))
                    .on(share(), aNode("3×A100").busy(0, 2))
                    .chooses("1@50%");
        }
    }
}
