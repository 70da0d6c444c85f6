package io.gpusched.core.policy.fit;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.JobBuilder.aShape;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.NodeBuilder;
import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.MigConfig;

import org.junit.jupiter.api.Test;

final class ShareFitterTest {
    private final DefaultFitter fitter = new DefaultFitter(true, DefaultFitter.Whole.CONNECTED);

    private static JobBuilder share(int milli) {
        return aJob().asking(GpuRequest.shares(milli, 0, 1));
    }

    /// 30 % left, 50 % left, idle.
    private static NodeBuilder node() {
        return aNode("3×A100-80GB").running(share(700), "0").running(share(500), "1");
    }

    @Test
    void theFullestGpuThatTakesTheShareIsChosen() {
        assertThat(fitter).on(share(300), node()).chooses("0@30%");
        assertThat(fitter).on(share(301), node()).chooses("1@31%");
        assertThat(fitter).on(share(500), node()).chooses("1@50%");
        assertThat(fitter).on(share(501), node()).chooses("2@51%");
    }

    @Test
    void amongEqualsTheLowestIsChosen() {
        assertThat(fitter).on(share(300), aNode("3×A100").busy(0)).chooses("1@30%");
    }

    @Test
    void oneThousandthShortDoesNotFit() {
        var full = aNode("1×A100-80GB").running(share(500), "0");
        assertThat(fitter).on(share(500), full).chooses("0@50%");
        assertThat(fitter).on(share(501), full).doesNotFit();
    }

    @Test
    void memoryIsNotGivenTwice() {
        var taken = aNode("1×A100-80GB");
        taken.running(aJob().asking(GpuRequest.shares(100, 80_000, 1)), "0");
        assertThat(fitter)
                .on(aShape().asking(GpuRequest.shares(100, 1920, 1)), taken)
                .chooses("0@10%");
        assertThat(fitter).on(aShape().asking(GpuRequest.shares(100, 1921, 1)), taken).doesNotFit();
    }

    @Test
    void severalSharesGoToDifferentGpus() {
        assertThat(fitter)
                .on(aShape().asking(GpuRequest.shares(200, 0, 3)), node())
                .chooses("0-2@20%");
        assertThat(fitter)
                .on(aShape().asking(GpuRequest.shares(400, 0, 2)), node())
                .chooses("1-2@40%");
        assertThat(fitter).on(aShape().asking(GpuRequest.shares(400, 0, 3)), node()).doesNotFit();
    }

    @Test
    void gpusHeldWholeOrCutOrHotTakeNoShares() {
        assertThat(fitter).on(share(100), aNode("3×A100").busy(0).hot(1)).chooses("2@10%");
        var sliced =
                aNode("2×A100-80GB")
                        .label(MigConfig.LABEL, "mixed")
                        .running(aJob().asking(GpuRequest.slices("1g.10gb", 1)), "0:1g.10gb@6");
        assertThat(fitter).on(share(100), sliced).chooses("1@10%");
    }

    @Test
    void anOfferNamesEveryGpuThatCouldTakeTheShare() {
        TestCluster cluster = aCluster(node());
        var wanted = new GpuRequest.Share(400, 0, 1);
        var offer = ShareFitter.offer(share(400).shape(), wanted, cluster.node("n1"), 0);
        assertThat(offer).isEqualTo(new ShareFitter.Offer(0b110, 400, 32_768));
        assertThat(offer.on(2)).isEqualTo(new Grant.Shares(0b100, 400, 32_768));
        assertThat(ShareFitter.offer(share(400).shape(), wanted, cluster.node("n1"), 0b100).gpus())
                .isEqualTo(0b010);
    }
}
