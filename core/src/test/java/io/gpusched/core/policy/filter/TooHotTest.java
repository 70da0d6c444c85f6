package io.gpusched.core.policy.filter;

import static io.gpusched.core.kit.JobBuilder.aShape;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.rule.RetryConditions.cooled;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.model.GpuRequest;

import org.junit.jupiter.api.Test;

final class TooHotTest {
    private static final String WHY = "free GPUs are too hot";

    private final TooHot filter = new TooHot();

    @Test
    void aHotGpuDoesNotCountAsFree() {
        assertThat(filter)
                .on(aShape().gpus(3), aNode("4×A100").hot(2).busy(0))
                .refuses(WHY)
                .by("too-hot")
                .liftedBy(cooled());
    }

    @Test
    void exactlyEnoughCoolGpusSuffice() {
        assertThat(filter).on(aShape().gpus(2), aNode("4×A100").hot(2).busy(0)).accepts();
    }

    @Test
    void aHotGpuThatIsBusyChangesNothing() {
        assertThat(filter).on(aShape().gpus(3), aNode("4×A100").hot(0).busy(0)).accepts();
    }

    @Test
    void warmGpusAreUsed() {
        assertThat(filter).on(aShape().gpus(4), aNode("4×A100").warm(0, 1, 2, 3)).accepts();
    }

    @Test
    void tooFewFreeGpusAreAnotherRulesReason() {
        assertThat(filter).on(aShape().gpus(4), aNode("4×A100").hot(2).busy(0)).accepts();
    }

    @Test
    void onlyWholeGpusHaveToBeCool() {
        var hot = aNode("1×A100-80GB").hot(0);
        assertThat(filter).on(aShape().asking(GpuRequest.shares(500, 0, 1)), hot).accepts();
        assertThat(filter).on(aShape().asking(GpuRequest.slices("1g.10gb", 1)), hot).accepts();
        assertThat(filter).on(aShape().gpus(0), hot).accepts();
        assertThat(filter).on(aShape().gpus(1), hot).refuses(WHY);
    }
}
