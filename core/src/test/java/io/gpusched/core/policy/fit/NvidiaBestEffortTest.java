package io.gpusched.core.policy.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.NodeBuilder;
import io.gpusched.core.model.Topology;

import org.junit.jupiter.api.Test;

/// Samples of our own; `bin/lab gpu-allocator` compares hundreds of recorded choices.
final class NvidiaBestEffortTest {
    private static final Topology DGX1 =
            NodeBuilder.aNode("n").model("V100-32GB").wired().build().topology();
    private static final Topology DGX_A100 = NodeBuilder.aNode("n").wired().build().topology();

    @Test
    void pairsOfADgx1AreThoseWithTwoLinks() {
        long free = 0xff;
        for (long expected : new long[] {0x09, 0x06, 0x90, 0x60}) {
            long chosen = NvidiaBestEffort.choose(DGX1, free, 0, 2);
            assertThat(chosen).isEqualTo(expected);
            free &= ~chosen;
        }
        assertThat(NvidiaBestEffort.choose(DGX1, free, 0, 1)).isZero();
    }

    @Test
    void theLowestIsTakenWhenOneIsWanted() {
        assertThat(NvidiaBestEffort.choose(DGX1, 0b1010_0000, 0, 1)).isEqualTo(0b0010_0000);
    }

    @Test
    void requiredGpusAreAmongTheChosen() {
        assertThat(NvidiaBestEffort.choose(DGX1, 0xff, 0b1_0000, 1)).isEqualTo(0b1_0000);
        assertThat(NvidiaBestEffort.choose(DGX1, 0xff, 0b1_0000, 2)).isEqualTo(0b1001_0000);
        assertThat(NvidiaBestEffort.choose(DGX1, 0x0f, 0b1_0000, 2)).isZero();
    }

    @Test
    void equallyConnectedGpusAreTakenInOrder() {
        assertThat(NvidiaBestEffort.choose(Topology.FLAT, 0b1111_0000, 0, 3))
                .isEqualTo(0b0111_0000);
        assertThat(NvidiaBestEffort.choose(DGX_A100, 0xff, 0, 4)).isEqualTo(0x0f);
    }
}
