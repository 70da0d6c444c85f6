package io.gpusched.core.policy.filter;

import static io.gpusched.core.kit.JobBuilder.aShape;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.rule.RetryConditions.fleet;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.NodeBuilder;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Locality;

import org.junit.jupiter.api.Test;

final class UnconnectedTest {
    private final Unconnected filter = new Unconnected();

    @Test
    void everyPairNeedsNvlinksOfItsOwn() {
        assertThat(filter).on(aShape().asking(nvlink(4)), dgx1()).accepts();
        assertThat(filter)
                .on(aShape().asking(nvlink(5)), dgx1())
                .refuses("at most 4 GPUs of the node are all connected by NVLink")
                .by("unconnected")
                .liftedBy(fleet());
        assertThat(filter)
                .on(aShape().asking(nvlink(2)), aNode("8×L4-24GB").wired())
                .refuses("node has no NVLink")
                .liftedBy(fleet());
    }

    @Test
    void aSocketIsSharedByHalfOfTheGpus() {
        assertThat(filter).on(aShape().asking(sameSocket(4)), dgx1()).accepts();
        assertThat(filter)
                .on(aShape().asking(sameSocket(5)), dgx1())
                .refuses("at most 4 GPUs of the node share a socket")
                .liftedBy(fleet());
        assertThat(filter)
                .on(aShape().asking(sameSocket(2)), aNode("2×L4-24GB").wired())
                .refuses("no two GPUs of the node share a socket");
    }

    @Test
    void everyPairHasToReachTheBandwidth() {
        var a100 = aNode("8×A100-80GB").wired();
        assertThat(filter).on(aShape().asking(bandwidth(8, 600)), a100).accepts();
        assertThat(filter)
                .on(aShape().asking(bandwidth(2, 601)), a100)
                .refuses("GPUs of the node reach 600 GB/s in sets of 2")
                .liftedBy(fleet());
        assertThat(filter)
                .on(aShape().asking(bandwidth(3, 100)), dgx1())
                .refuses("GPUs of the node reach 50 GB/s in sets of 3");
    }

    @Test
    void aNodeOfUnknownTopologyPromisesNothing() {
        String why = "node does not report how its GPUs are connected";
        assertThat(filter).on(aShape().asking(nvlink(2)), aNode("8×A100")).refuses(why);
        assertThat(filter).on(aShape().asking(sameSocket(2)), aNode("8×A100")).refuses(why);
        assertThat(filter).on(aShape().gpus(8), aNode("8×A100")).accepts();
    }

    @Test
    void oneGpuNeedsNoConnection() {
        assertThat(filter).on(aShape().asking(nvlink(1)), aNode("8×A100")).accepts();
        assertThat(filter).on(aShape().gpus(0), aNode("8×A100")).accepts();
    }

    @Test
    void gpusInUseAreAnotherRulesReason() {
        var busy = dgx1().busy(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(filter).on(aShape().asking(nvlink(4)), busy).accepts();
    }

    @Test
    void theReachOfASetIsThatOfItsWeakestPair() {
        assertThat(reach(dgx1(), 2)).isEqualTo(100);
        assertThat(reach(dgx1(), 4)).isEqualTo(50);
        assertThat(reach(dgx1(), 8)).isEqualTo(32);
        assertThat(reach(dgx1(), 9)).isZero();
    }

    @Test
    void onlyGpusThatSuitTheJobCount() {
        var mixed = aNode("2×V100-32GB").and(6, "V100-16GB").wired();
        assertThat(filter)
                .on(aShape().model("V100-32GB").asking(bandwidth(2, 100)), mixed)
                .refuses("suitable GPUs of the node reach 50 GB/s in sets of 2")
                .liftedBy(fleet());
        assertThat(filter).on(aShape().asking(bandwidth(2, 100)), mixed).accepts();
        assertThat(filter)
                .on(aShape().model("V100-16GB").asking(nvlink(5)), mixed)
                .refuses("at most 4 suitable GPUs of the node are all connected by NVLink");
        assertThat(filter)
                .on(aShape().model("V100-32GB").asking(nvlink(3)), mixed)
                .refuses("node has 2 suitable GPUs, a task asks for 3");
    }

    private int reach(NodeBuilder node, int count) {
        return filter.reach(aShape().shape(), bandwidth(count, 0), node.build());
    }

    private static NodeBuilder dgx1() {
        return aNode("8×V100-32GB").wired();
    }

    private static GpuRequest.Whole nvlink(int count) {
        return new GpuRequest.Whole(count, 0, Locality.NVLINK, 0);
    }

    private static GpuRequest.Whole sameSocket(int count) {
        return new GpuRequest.Whole(count, 0, Locality.SAME_SOCKET, 0);
    }

    private static GpuRequest.Whole bandwidth(int count, long gbps) {
        return new GpuRequest.Whole(count, 0, Locality.ANY, gbps);
    }
}
