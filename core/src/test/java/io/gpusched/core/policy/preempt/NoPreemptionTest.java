package io.gpusched.core.policy.preempt;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.TenantBuilder.aTenant;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.PreemptionVerdict;

import org.junit.jupiter.api.Test;

final class NoPreemptionTest {
    private final TestCluster cluster = aCluster("n1: 2×A100").with(aTenant("a"));
    private final JobId low = cluster.running(aJob().of("a").priority(10), "n1[0]");
    private final JobId same = cluster.running(aJob().of("a").priority(20), "n1[1]");

    @Test
    void nothingIsEvictedForAMoreImportantJob() {
        assertThat(new NoPreemption())
                .on(aJob().of("a").priority(20).gpus(1), cluster)
                .evictsNothing()
                .judges(low, PreemptionVerdict.BY_POLICY)
                .judges(same, PreemptionVerdict.NOT_BELOW);
    }

    @Test
    void theVerdictTellsThatPreemptionIsSwitchedOff() {
        assertThat(NoPreemption.switchedOff())
                .on(aJob().of("a").priority(20).gpus(1), cluster)
                .evictsNothing()
                .judges(low, PreemptionVerdict.SWITCHED_OFF)
                .judges(same, PreemptionVerdict.NOT_BELOW);
    }
}
