package io.gpusched.core.policy.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.NodeBuilder;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.Node;

import org.junit.jupiter.api.Test;

import java.util.Random;

final class LinkAwareFitterTest {
    private static final Node DGX1 = NodeBuilder.aNode("dgx1").model("V100-32GB").wired().build();
    private static final Node DGX_A100 = NodeBuilder.aNode("a100").wired().build();
    private static final Node PCIE = NodeBuilder.aNode("l4").model("L4-24GB").wired().build();
    private static final Node UNTOLD = NodeBuilder.aNode("untold").build();

    private final LinkAwareFitter linkAwareFitter = new LinkAwareFitter();

    @Test
    void aPairTakesTheDoubleLink() {
        assertThat(linkAwareFitter.choose(DGX1, 0b1011, any(2))).isEqualTo(0b1001);
    }

    @Test
    void aSingleGpuIsTakenWhereItIsNeededLeast() {
        // 0 and 3 share two links; 6 is linked to neither.
        assertThat(linkAwareFitter.choose(DGX1, 0b0100_1001, any(1))).isEqualTo(0b0100_0000);
    }

    @Test
    void switchedGpusStayOnOneSocketWhereTheyCan() {
        assertThat(linkAwareFitter.choose(DGX_A100, 0b1111_1100, any(4))).isEqualTo(0b1111_0000);
    }

    @Test
    void gpusOfAnUnknownTopologyAreTakenInOrder() {
        assertThat(linkAwareFitter.choose(UNTOLD, 0b1010_1010, any(3))).isEqualTo(0b0010_1010);
        assertThat(linkAwareFitter.choose(UNTOLD, 0xff, asked(2, Locality.NVLINK, 0))).isZero();
        assertThat(linkAwareFitter.choose(UNTOLD, 0xff, asked(2, Locality.SAME_SOCKET, 0)))
                .isZero();
    }

    @Test
    void nvlinkMeansEveryPair() {
        assertThat(linkAwareFitter.choose(DGX1, 0xff, asked(4, Locality.NVLINK, 0)))
                .isEqualTo(0x0f);
        assertThat(linkAwareFitter.choose(DGX1, 0xff, asked(5, Locality.NVLINK, 0))).isZero();
        assertThat(linkAwareFitter.choose(DGX_A100, 0xff, asked(8, Locality.NVLINK, 0)))
                .isEqualTo(0xff);
        assertThat(linkAwareFitter.choose(PCIE, 0xff, asked(2, Locality.NVLINK, 0))).isZero();
    }

    @Test
    void aBandwidthMustBeReachedByEveryPair() {
        assertThat(linkAwareFitter.choose(DGX_A100, 0xff, asked(8, Locality.ANY, 600)))
                .isEqualTo(0xff);
        assertThat(linkAwareFitter.choose(DGX_A100, 0xff, asked(2, Locality.ANY, 601))).isZero();
        assertThat(linkAwareFitter.choose(DGX1, 0xff, asked(2, Locality.ANY, 100))).isEqualTo(0x09);
        assertThat(linkAwareFitter.choose(DGX1, 0xff, asked(3, Locality.ANY, 100))).isZero();
        assertThat(linkAwareFitter.choose(PCIE, 0xff, asked(8, Locality.ANY, 64))).isEqualTo(0xff);
    }

    @Test
    void requirementsHoldForEveryAnswer() {
        var random = new Random(7);
        for (int round = 0; round < 2000; round++) {
            Node node = random.nextBoolean() ? DGX1 : DGX_A100;
            Locality locality = Locality.values()[random.nextInt(4)];
            long usable = random.nextInt(256);
            int count = 2 + random.nextInt(3);
            int gbps = random.nextInt(3) * 50;
            long chosen = linkAwareFitter.choose(node, usable, asked(count, locality, gbps));
            String what = node.id() + " " + usable + " " + count + " " + locality + " " + gbps;
            if (chosen == 0) {
                assertThat(anyLegal(node, usable, count, locality, gbps)).as(what).isFalse();
            } else {
                assertThat(chosen & ~usable).as(what).isZero();
                assertThat(Long.bitCount(chosen)).as(what).isEqualTo(count);
                assertThat(legal(node, chosen, locality, gbps)).as(what).isTrue();
            }
        }
    }

    private static boolean anyLegal(
            Node node, long usable, int count, Locality locality, int gbps) {
        for (long set = 1; set < 256; set++) {
            if ((set & ~usable) == 0
                    && Long.bitCount(set) == count
                    && legal(node, set, locality, gbps)) {
                return true;
            }
        }
        return false;
    }

    private static boolean legal(Node node, long set, Locality locality, int gbps) {
        var topology = node.topology();
        int slot = node.id().name().equals("dgx1") ? 32 : 64;
        for (int a = 0; a < 8; a++) {
            for (int b = a + 1; b < 8; b++) {
                boolean both = (set >>> a & 1) == 1 && (set >>> b & 1) == 1;
                int reached = Math.max(slot, 50 * topology.nvlinks(a, b));
                boolean wrong =
                        (locality == Locality.NVLINK && topology.nvlinks(a, b) == 0)
                                || (locality == Locality.SAME_SOCKET
                                        && topology.socket(a) != topology.socket(b))
                                || reached < gbps;
                if (both && wrong) {
                    return false;
                }
            }
        }
        return true;
    }

    private static GpuRequest.Whole any(int count) {
        return asked(count, Locality.ANY, 0);
    }

    private static GpuRequest.Whole asked(int count, Locality locality, int gbps) {
        return new GpuRequest.Whole(count, 0, locality, gbps);
    }
}
