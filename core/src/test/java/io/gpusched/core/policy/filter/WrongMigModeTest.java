package io.gpusched.core.policy.filter;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.JobBuilder.aShape;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.rule.RetryConditions.fleet;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.NodeBuilder;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.MigConfig;

import org.junit.jupiter.api.Test;

final class WrongMigModeTest {
    private final WrongMigMode filter = new WrongMigMode();

    @Test
    void slicesNeedANodeThatAllowsThem() {
        assertThat(filter).on(slices("1g.10gb", 1), node("mixed")).accepts();
        assertThat(filter)
                .on(slices("1g.10gb", 1), aNode("2×A100-80GB"))
                .refuses("node does not allow MIG slices; label it neuronetes.io/mig-config=mixed")
                .by("uncut")
                .liftedBy(fleet());
        assertThat(filter)
                .on(slices("1g.10gb", 1), node("all-3g.20gbb"))
                .refuses("neuronetes.io/mig-config=all-3g.20gbb is not a known value");
    }

    @Test
    void aNodeHoldsSoManySlicesAndNotOneMore() {
        assertThat(filter).on(slices("1g.10gb", 14), node("mixed")).accepts();
        assertThat(filter)
                .on(slices("1g.10gb", 15), node("mixed"))
                .refuses("node holds at most 14 slices of 1g.10gb")
                .liftedBy(fleet());
        assertThat(filter)
                .on(slices("7g.80gb", 2), aNode("1×A100-80GB").label(MigConfig.LABEL, "mixed"))
                .refuses("node holds at most 1 slice of 7g.80gb");
    }

    @Test
    void aNodeThatIsCutForGoodOffersItsSlicesOnly() {
        assertThat(filter).on(slices("3g.40gb", 4), node("all-3g.40gb")).accepts();
        assertThat(filter)
                .on(slices("3g.40gb", 5), node("all-3g.40gb"))
                .refuses("node holds at most 4 slices of 3g.40gb");
        assertThat(filter)
                .on(slices("1g.10gb", 1), node("all-3g.40gb"))
                .refuses("neuronetes.io/mig-config=all-3g.40gb gives no slices of 1g.10gb");
    }

    @Test
    void theCardHasToKnowTheProfile() {
        String why = "GPUs of the node have no MIG profile ";
        assertThat(filter).on(slices("1g.5gb", 1), node("mixed")).refuses(why + "1g.5gb");
        assertThat(filter)
                .on(slices("1g.10gb", 1).model("H100"), node("mixed"))
                .refuses(why + "1g.10gb");
    }

    @Test
    void wholeGpusAndSharesNeedGpusThatAreNotCutForGood() {
        String why = "GPUs are partitioned into MIG slices, neuronetes.io/mig-config=all-3g.40gb";
        assertThat(filter)
                .on(aShape().gpus(1), node("all-3g.40gb"))
                .refuses(why)
                .by("cut")
                .liftedBy(fleet());
        assertThat(filter)
                .on(aShape().asking(GpuRequest.shares(500, 0, 1)), node("all-3g.40gb"))
                .refuses(why);
        assertThat(filter).on(aShape().gpus(2), node("mixed")).accepts();
        assertThat(filter).on(aShape().gpus(0), node("all-3g.40gb")).accepts();
    }

    @Test
    void slicesInUseAreAnotherRulesReason() {
        var busy = node("mixed").running(slices("7g.80gb", 1), "0:7g.80gb@0").busy(1);
        assertThat(filter).on(slices("7g.80gb", 2), busy).accepts();
    }

    private static NodeBuilder node(String config) {
        return aNode("2×A100-80GB").label(MigConfig.LABEL, config);
    }

    private static JobBuilder slices(String profile, int count) {
        return aJob().asking(GpuRequest.slices(profile, count));
    }
}
