package io.gpusched.core.policy.preempt;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.TenantBuilder.aTenant;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.PreemptionVerdict;

import org.junit.jupiter.api.Test;

import java.time.Duration;

final class ReclaimPreemptorTest {
    private static final LostWork LOST = new LostWork(Duration.ofMinutes(30));

    private final ReclaimPreemptor preemptor =
            new ReclaimPreemptor(LOST, new PriorityPreemptor(LOST, Duration.ZERO, true));

    private static JobBuilder job(String tenant, int priority, int gpus) {
        return aJob().of(tenant).priority(priority).gpus(gpus);
    }

    private static TestCluster cluster(long guaranteedToA, long guaranteedToB) {
        return aCluster("n1: 8×A100")
                .with(
                        aTenant("a").guaranteed(guaranteedToA),
                        aTenant("b").guaranteed(guaranteedToB).rules(false, true, 0));
    }

    @Test
    void whatIsBorrowedIsTakenBackWhateverThePriority() {
        TestCluster cluster = cluster(4, 4);
        JobId first = cluster.running(job("b", 500, 2), "n1[0-1]");
        JobId least = cluster.running(job("b", 400, 2), "n1[2-3]");
        cluster.running(job("b", 600, 4), "n1[4-7]");
        assertThat(preemptor).on(job("a", 1, 2), cluster).evicts(least);
        assertThat(preemptor).on(job("a", 1, 4), cluster).evicts(least, first);
    }

    @Test
    void aGuaranteeCoversSoMuchAndNotOneMore() {
        TestCluster cluster = cluster(3, 0);
        JobId holder = cluster.running(job("b", 1, 8), "n1[0-7]");
        assertThat(preemptor).on(job("a", 500, 3), cluster).evicts(holder);
        assertThat(preemptor)
                .on(job("a", 500, 4), cluster)
                .evictsNothing()
                .judges(holder, PreemptionVerdict.OTHER_TENANT);
    }

    @Test
    void whatTheTenantHoldsAlreadyCounts() {
        TestCluster cluster = cluster(3, 0);
        cluster.running(job("a", 500, 2), "n1[0-1]");
        JobId holder = cluster.running(job("b", 1, 6), "n1[2-7]");
        assertThat(preemptor).on(job("a", 1, 1), cluster).evicts(holder);
        assertThat(preemptor).on(job("a", 1, 2), cluster).evictsNothing();
    }

    @Test
    void noTenantFallsBelowItsOwnGuarantee() {
        TestCluster cluster = cluster(4, 5);
        JobId large = cluster.running(job("b", 1, 4), "n1[0-3]");
        JobId small = cluster.running(job("b", 2, 3), "n1[4-6]");
        cluster.running(job("b", 3, 1), "n1[7]");
        assertThat(preemptor)
                .on(job("a", 500, 3), cluster)
                .evicts(small)
                .judges(large, PreemptionVerdict.GUARANTEED);
        assertThat(preemptor).on(job("a", 500, 4), cluster).evictsNothing();
    }

    @Test
    void ofTheSameTenantLessImportantWorkLeaves() {
        TestCluster cluster = cluster(8, 0);
        JobId low = cluster.running(job("a", 1, 4), "n1[0-3]");
        JobId same = cluster.running(job("a", 9, 4), "n1[4-7]");
        assertThat(preemptor)
                .on(job("a", 9, 4), cluster)
                .evicts(low)
                .judges(same, PreemptionVerdict.NOT_BELOW);
    }

    @Test
    void aTeamTakesBackFromASiblingWhatItIsGuaranteed() {
        TestCluster cluster =
                aCluster("n1: 8×A100")
                        .with(
                                aTenant("dept"),
                                aTenant("x").under("dept").guaranteed(2),
                                aTenant("y").under("dept"),
                                aTenant("outside"));
        JobId sibling = cluster.running(job("y", 500, 4), "n1[0-3]");
        JobId outside = cluster.running(job("outside", 1, 4), "n1[4-7]");
        assertThat(preemptor)
                .on(job("x", 100, 2), cluster)
                .evicts(sibling)
                .judges(outside, PreemptionVerdict.OTHER_TENANT);
    }

    @Test
    void aTenantThatMayNotPreemptTakesNothingBack() {
        TestCluster cluster = cluster(4, 0);
        cluster.with(aTenant("a").guaranteed(4).rules(true, false, 0));
        JobId holder = cluster.running(job("b", 1, 8), "n1[0-7]");
        assertThat(preemptor)
                .on(job("a", 500, 4), cluster)
                .evictsNothing()
                .judges(holder, PreemptionVerdict.MAY_NOT_PREEMPT);
    }
}
