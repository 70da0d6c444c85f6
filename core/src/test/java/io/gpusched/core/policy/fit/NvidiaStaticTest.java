package io.gpusched.core.policy.fit;

import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.Topology;

import org.junit.jupiter.api.Test;

final class NvidiaStaticTest {
    private static final Topology DGX1 = aNode("8×V100-32GB").wired().build().topology();
    private static final Topology PASCAL = aNode("8×P100-16GB").wired().build().topology();

    @Test
    void fixedSetsAreTakenInOrder() {
        assertThat(NvidiaStatic.choose(DGX1, 0xff, 0, 1)).isEqualTo(0x01);
        assertThat(NvidiaStatic.choose(DGX1, 0xff, 0, 2)).isEqualTo(0x09);
        assertThat(NvidiaStatic.choose(DGX1, 0xf6, 0, 2)).isEqualTo(0x06);
        assertThat(NvidiaStatic.choose(DGX1, 0xfe, 0, 4)).isEqualTo(0xf0);
        assertThat(NvidiaStatic.choose(DGX1, 0xff, 0, 8)).isEqualTo(0xff);
    }

    @Test
    void aSetIsTakenWholeOrNotAtAll() {
        assertThat(NvidiaStatic.choose(DGX1, 0xfe, 0, 8)).isZero();
        assertThat(NvidiaStatic.choose(DGX1, 0x77, 0, 4)).isZero();
        assertThat(NvidiaStatic.choose(DGX1, 0b0110_0011, 0, 2)).isEqualTo(0x60);
        assertThat(NvidiaStatic.choose(DGX1, 0b0010_0011, 0, 2)).isZero();
    }

    @Test
    void otherNumbersHaveNoSet() {
        for (int size : new int[] {0, 3, 5, 6, 7, 9}) {
            assertThat(NvidiaStatic.choose(DGX1, 0xff, 0, size)).as("%s GPUs", size).isZero();
        }
    }

    @Test
    void pairsOfPascalAreOthers() {
        assertThat(NvidiaStatic.choose(PASCAL, 0xff, 0, 2)).isEqualTo(0x05);
    }

    @Test
    void whatIsRequiredIsAmongThoseTaken() {
        assertThat(NvidiaStatic.choose(DGX1, 0xff, 0b10_0000, 2)).isEqualTo(0x60);
        assertThat(NvidiaStatic.choose(DGX1, 0xff, 0b10_0001, 2)).isZero();
    }

    @Test
    void onlyMachinesOfEightGpusHaveSets() {
        Topology four = aNode("4×V100-32GB").wired().build().topology();
        assertThat(NvidiaStatic.choose(four, 0xf, 0, 2)).isZero();
    }
}
