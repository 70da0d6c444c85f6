package io.gpusched.core.policy.pack;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.JobBuilder.aShape;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.fit.ShareFitter;
import io.gpusched.core.state.ClusterView;

import org.junit.jupiter.api.Test;

final class ShareChoiceFitterTest {
    /// Takes the last GPU, where the usual fitter would take the first.
    private static Grant last(
            Shape shape, ShareFitter.Offer offer, NodeView node, ClusterView cluster) {
        return offer.on(63 - Long.numberOfLeadingZeros(offer.gpus()));
    }

    private static ShareChoiceFitter fitter(boolean avoidHot) {
        return new ShareChoiceFitter(ShareChoiceFitterTest::last, avoidHot);
    }

    private static JobBuilder shares(int milli, int count) {
        return aJob().asking(GpuRequest.shares(milli, 0, count));
    }

    @Test
    void theRuleChoosesTheGpuOfASingleShare() {
        assertThat(fitter(true)).on(shares(500, 1), aNode("4×A100")).chooses("3@50%");
    }

    @Test
    void allElseIsLeftToTheUsualFitter() {
        assertThat(fitter(true)).on(shares(500, 2), aNode("4×A100")).chooses("0-1@50%");
        assertThat(fitter(true)).on(aShape().gpus(2), aNode("4×A100")).chooses("0-1");
        assertThat(fitter(true)).on(aShape().gpus(0), aNode("4×A100")).chooses("");
    }

    @Test
    void onlyGpusThatTakeTheShareAreOffered() {
        assertThat(fitter(true))
                .on(shares(600, 1), aNode("4×A100").running(shares(500, 1), "3"))
                .chooses("2@60%");
        assertThat(fitter(true))
                .on(shares(500, 1), aNode("4×A100").running(shares(500, 1), "3"))
                .chooses("3@50%");
        assertThat(fitter(true)).on(shares(500, 1), aNode("2×A100").busy(0, 1)).doesNotFit();
    }

    @Test
    void hotGpusAreOfferedOnlyIfToldSo() {
        assertThat(fitter(true)).on(shares(500, 1), aNode("4×A100").hot(3)).chooses("2@50%");
        assertThat(fitter(false)).on(shares(500, 1), aNode("4×A100").hot(3)).chooses("3@50%");
    }
}
