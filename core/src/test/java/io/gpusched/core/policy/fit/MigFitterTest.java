package io.gpusched.core.policy.fit;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.NodeBuilder;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.MigConfig;

import org.junit.jupiter.api.Test;

final class MigFitterTest {
    private final DefaultFitter fitter = new DefaultFitter(true, DefaultFitter.Whole.CONNECTED);

    private static JobBuilder slices(String profile, int count) {
        return aJob().asking(GpuRequest.slices(profile, count));
    }

    private static NodeBuilder node(String gpus, String config) {
        return aNode(gpus).label(MigConfig.LABEL, config);
    }

    @Test
    void aSliceIsCutWhereItSpoilsTheLeast() {
        assertThat(fitter)
                .on(slices("1g.5gb", 1), node("1×A100-40GB", "mixed"))
                .chooses("0:1g.5gb@6");
        assertThat(fitter)
                .on(slices("3g.20gb", 1), node("1×A100-40GB", "mixed"))
                .chooses("0:3g.20gb@4");
    }

    @Test
    void aGpuThatIsCutGoesBeforeOneThatIsWhole() {
        assertThat(fitter)
                .on(
                        slices("3g.40gb", 1),
                        node("2×A100-80GB", "mixed").running(slices("3g.40gb", 1), "1:3g.40gb@4"))
                .chooses("1:3g.40gb@0");
    }

    @Test
    void asManySlicesFitAsTheCardHolds() {
        assertThat(fitter)
                .on(slices("3g.40gb", 2), node("1×A100-80GB", "mixed"))
                .chooses("0:3g.40gb@4,0:3g.40gb@0");
        assertThat(fitter).on(slices("3g.40gb", 3), node("1×A100-80GB", "mixed")).doesNotFit();
        assertThat(fitter)
                .on(
                        slices("7g.80gb", 1),
                        node("1×A100-80GB", "mixed").running(slices("1g.10gb", 1), "0:1g.10gb@6"))
                .doesNotFit();
    }

    @Test
    void onAGpuThatIsCutForGoodTheFirstFreeSliceIsTaken() {
        assertThat(fitter)
                .on(slices("3g.40gb", 1), node("1×A100-80GB", "all-3g.40gb"))
                .chooses("0:3g.40gb@0");
        assertThat(fitter)
                .on(
                        slices("3g.40gb", 1),
                        node("1×A100-80GB", "all-3g.40gb")
                                .running(slices("3g.40gb", 1), "0:3g.40gb@0"))
                .chooses("0:3g.40gb@4");
        assertThat(fitter)
                .on(slices("1g.10gb", 1), node("1×A100-80GB", "all-3g.40gb"))
                .doesNotFit();
    }

    @Test
    void nodesThatAllowNoSlicesGiveNone() {
        assertThat(fitter).on(slices("1g.10gb", 1), aNode("1×A100-80GB")).doesNotFit();
        assertThat(fitter).on(slices("1g.10gb", 1), node("1×A100-80GB", "nonsense")).doesNotFit();
    }

    @Test
    void gpusHeldInAnotherWayOrHotOrOfAnotherModelAreNotCut() {
        var share = aJob().asking(GpuRequest.shares(100, 0, 1));
        assertThat(fitter)
                .on(
                        slices("1g.10gb", 1),
                        node("4×A100-80GB", "mixed").busy(0).running(share, "1").hot(2))
                .chooses("3:1g.10gb@6");
        assertThat(fitter)
                .on(
                        slices("1g.10gb", 1).model("H100"),
                        node("1×A100-80GB", "mixed").and(1, "H100-80GB"))
                .chooses("1:1g.10gb@6");
    }
}
