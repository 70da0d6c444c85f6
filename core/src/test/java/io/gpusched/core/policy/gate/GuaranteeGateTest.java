package io.gpusched.core.policy.gate;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.TenantBuilder.aTenant;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RetryConditions.tenant;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.kit.TestCluster;

import org.junit.jupiter.api.Test;

final class GuaranteeGateTest {
    private static final String WHY =
            "the rest of the limit of all is kept for tenants below their guarantee";

    private final GuaranteeGate gate = new GuaranteeGate();

    /// The limit of all is 8, `a` holds 1 of its guaranteed 4 and `b` holds 3, so that 1 is left.
    private static TestCluster cluster(long guaranteedToB) {
        TestCluster cluster =
                aCluster("n1: 8×A100")
                        .with(
                                aTenant("all").limit(8),
                                aTenant("a").under("all").guaranteed(4),
                                aTenant("b").under("all").guaranteed(guaranteedToB));
        cluster.running(aJob().of("a").gpus(1), "n1[0]");
        cluster.running(aJob().of("b").gpus(3), "n1[1-3]");
        return cluster;
    }

    @Test
    void whatGuaranteesOfOthersStillNeedIsKept() {
        assertThat(gate).on(aJob().of("b").gpus(1), cluster(0)).letsPass();
        assertThat(gate)
                .on(aJob().of("b").gpus(2), cluster(0))
                .holdsBack(WHY)
                .by("guarantee")
                .liftedBy(tenant("all"));
    }

    @Test
    void aTenantGetsWhatItsOwnGuaranteeCovers() {
        assertThat(gate).on(aJob().of("a").gpus(3), cluster(0)).letsPass();
        assertThat(gate).on(aJob().of("b").gpus(2), cluster(5)).letsPass();
        assertThat(gate).on(aJob().of("b").gpus(2), cluster(4)).holdsBack(WHY);
    }

    @Test
    void beyondItsGuaranteeATenantGetsWhatNoOtherLacks() {
        assertThat(gate).on(aJob().of("a").gpus(4), cluster(3)).letsPass();
        assertThat(gate).on(aJob().of("a").gpus(4), cluster(4)).holdsBack(WHY);
    }

    @Test
    void jobsWithoutGpusAreNotConcerned() {
        assertThat(gate).on(aJob().of("b").gpus(0), cluster(0)).letsPass();
    }

    @Test
    void withoutALimitNothingIsKept() {
        TestCluster cluster =
                aCluster("n1: 8×A100")
                        .with(
                                aTenant("all"),
                                aTenant("a").under("all").guaranteed(4),
                                aTenant("b").under("all"));
        assertThat(gate).on(aJob().of("b").gpus(8), cluster).letsPass();
        assertThat(gate).on(aJob().gpus(8), cluster).letsPass();
    }
}
