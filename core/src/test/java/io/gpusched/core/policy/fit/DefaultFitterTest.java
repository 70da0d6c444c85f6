package io.gpusched.core.policy.fit;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.JobBuilder.aShape;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.MigConfig;

import org.junit.jupiter.api.Test;

final class DefaultFitterTest {
    private final DefaultFitter fitter = new DefaultFitter(true, DefaultFitter.Whole.CONNECTED);

    @Test
    void exactlyEnoughFreeGpusFitAndOneMoreDoesNot() {
        assertThat(fitter).on(aShape().gpus(3), aNode("4×A100").busy(1)).chooses("0,2-3");
        assertThat(fitter).on(aShape().gpus(4), aNode("4×A100").busy(1)).doesNotFit();
    }

    @Test
    void gpusOfUnknownTopologyAreTakenInOrder() {
        assertThat(fitter).on(aShape().gpus(2), aNode("4×A100").busy(0)).chooses("1-2");
    }

    @Test
    void connectedGpusAreTaken() {
        assertThat(fitter)
                .on(aShape().gpus(2), aNode("8×V100-32GB").wired().busy(2, 4, 5, 6, 7))
                .chooses("0,3");
    }

    @Test
    void aTaskWithoutGpusFitsOnAFullNode() {
        assertThat(fitter).on(aShape().gpus(0), aNode("1×A100").busy(0)).chooses("");
    }

    @Test
    void hotGpusAreLeftAloneUnlessToldOtherwise() {
        assertThat(fitter).on(aShape().gpus(2), aNode("3×A100").hot(0)).chooses("1-2");
        assertThat(fitter).on(aShape().gpus(3), aNode("3×A100").hot(0)).doesNotFit();
        assertThat(new DefaultFitter(false, DefaultFitter.Whole.CONNECTED))
                .on(aShape().gpus(3), aNode("3×A100").hot(0))
                .chooses("0-2");
    }

    @Test
    void unfitGpusAreNeverTaken() {
        assertThat(new DefaultFitter(false, DefaultFitter.Whole.CONNECTED))
                .on(aShape().gpus(2), aNode("3×A100").unfit(1))
                .chooses("0,2");
        assertThat(fitter).on(aShape().gpus(3), aNode("3×A100").unfit(1)).doesNotFit();
    }

    @Test
    void onAMixedNodeOnlyGpusThatSuitAreTaken() {
        var mixed = aNode("2×A100-40GB").and(2, "A100-80GB").and(1, "H100-80GB");
        assertThat(fitter).on(aShape().gpus(2).gpuMemoryMiB(81_920), mixed).chooses("2-3");
        assertThat(fitter).on(aShape().gpus(1).model("H100"), mixed).chooses("4");
        assertThat(fitter).on(aShape().gpus(2).model("H100"), mixed).doesNotFit();
        assertThat(fitter)
                .on(aShape().gpus(3).model("A100").gpuMemoryMiB(81_920), mixed)
                .doesNotFit();
    }

    @Test
    void gpusThatAreCutForGoodAreNotGivenWhole() {
        var cut = aNode("2×A100-80GB").label(MigConfig.LABEL, "all-3g.40gb").and(1, "V100-32GB");
        assertThat(fitter).on(aShape().gpus(1), cut).chooses("2");
        assertThat(fitter).on(aShape().gpus(2), cut).doesNotFit();
    }

    @Test
    void aGpuIsHeldInOneWayOnly() {
        var half = aJob().asking(GpuRequest.shares(500, 0, 1));
        assertThat(fitter).on(aShape(), aNode("2×A100-80GB").running(half, "0")).chooses("1");
        assertThat(fitter).on(aShape(), aNode("1×A100-80GB").running(half, "0")).doesNotFit();
    }

    @Test
    void bestEffortKeepsPairsForJobsOfTheSameSize() {
        var bestEffort = new DefaultFitter(true, DefaultFitter.Whole.BEST_EFFORT);
        assertThat(bestEffort).on(aShape().gpus(2), aNode("8×V100-32GB").wired()).chooses("0,3");
        assertThat(bestEffort)
                .on(aShape().gpus(2), aNode("8×V100-32GB").wired().busy(0, 3))
                .chooses("1-2");
        assertThat(bestEffort).on(aShape().gpus(2), aNode("8×V100-32GB").busy(0)).chooses("1-2");
    }

    @Test
    void fixedSetsHaveNoThree() {
        var fixed = new DefaultFitter(true, DefaultFitter.Whole.STATIC);
        var dgx1 = aNode("8×V100-32GB").wired();
        assertThat(fixed).on(aShape().gpus(4), dgx1).chooses("0-3");
        assertThat(fixed).on(aShape().gpus(3), dgx1).doesNotFit();
    }

    @Test
    void whatATaskRequiresHoldsHoweverGpusAreChosen() {
        var nvlink = aShape().asking(new GpuRequest.Whole(3, 0, Locality.NVLINK, 0));
        for (var how : DefaultFitter.Whole.values()) {
            assertThat(new DefaultFitter(true, how))
                    .on(nvlink, aNode("8×V100-32GB").wired().busy(0, 4, 5, 6, 7))
                    .chooses("1-3");
            assertThat(new DefaultFitter(true, how))
                    .on(nvlink, aNode("8×V100-32GB").wired().busy(0, 1, 5, 6, 7))
                    .doesNotFit();
        }
    }
}
