package io.gpusched.core.policy.preempt;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.TenantBuilder.aTenant;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.PreemptionVerdict;
import io.gpusched.core.policy.order.ShortestRemainingOrder;

import org.junit.jupiter.api.Test;

import java.time.Duration;

final class OrderPreemptorTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final OrderPreemptor preemptor =
            new OrderPreemptor(new ShortestRemainingOrder(Duration.ZERO));
    private final TestCluster cluster = aCluster("n1: 2×A100").with(aTenant("a"));

    private static JobBuilder job(Duration length) {
        return aJob().of("a").limit(length);
    }

    @Test
    void whatHasTheMostLeftLeavesWhateverItsPriority() {
        JobId longer = cluster.running(job(HOUR.multipliedBy(3)).priority(900), "n1[0]");
        JobId shorter = cluster.running(job(HOUR).priority(0), "n1[1]");
        assertThat(preemptor)
                .on(job(HOUR.dividedBy(2)).priority(1), cluster)
                .evicts(longer)
                .judges(shorter, PreemptionVerdict.LEAVES);
        assertThat(preemptor).on(job(HOUR.dividedBy(2)).gpus(2), cluster).evicts(longer, shorter);
    }

    @Test
    void aJobWithAsMuchLeftStays() {
        JobId same = cluster.running(job(HOUR.multipliedBy(2)).gpus(2), "n1[0-1]");
        cluster.pass(HOUR);
        assertThat(preemptor)
                .on(job(HOUR), cluster)
                .evictsNothing()
                .judges(same, PreemptionVerdict.NOT_BELOW);
        assertThat(preemptor).on(job(HOUR.minusMillis(1)), cluster).evicts(same);
    }

    @Test
    void amongEqualsTheLatestJobLeaves() {
        cluster.running(job(HOUR), "n1[0]");
        JobId later = cluster.running(job(HOUR), "n1[1]");
        assertThat(preemptor).on(job(HOUR.dividedBy(2)), cluster).evicts(later);
    }

    @Test
    void nothingIsEvictedWhereTheJobWouldNotFitEvenThen() {
        cluster.running(job(HOUR), "n1[0]");
        cluster.running(job(HOUR.dividedBy(4)), "n1[1]");
        assertThat(preemptor).on(job(HOUR.dividedBy(2)).gpus(2), cluster).evictsNothing();
    }

    @Test
    void aJobThatRunsOnlyOnceTakesNoTurns() {
        JobId once = cluster.running(job(HOUR).gpus(2).neverRequeued(), "n1[0-1]");
        assertThat(preemptor)
                .on(job(HOUR.dividedBy(2)), cluster)
                .evictsNothing()
                .judges(once, PreemptionVerdict.NEVER_AGAIN);
    }

    @Test
    void bothTenantsHaveToAllowIt() {
        cluster.with(aTenant("safe").rules(false, true, 0), aTenant("meek").rules(true, false, 0));
        JobId safe = cluster.running(job(HOUR).of("safe"), "n1[0]");
        JobId other = cluster.running(job(HOUR), "n1[1]");
        assertThat(preemptor)
                .on(job(HOUR.dividedBy(2)).gpus(2), cluster)
                .evictsNothing()
                .judges(safe, PreemptionVerdict.FORBIDDEN);
        assertThat(preemptor)
                .on(job(HOUR.dividedBy(2)).of("meek"), cluster)
                .evictsNothing()
                .judges(other, PreemptionVerdict.MAY_NOT_PREEMPT);
    }

    @Test
    void theJobThatIsEarlierInTheOrderRanksHigher() {
        Job shorter = cluster.job(cluster.waiting(job(HOUR)));
        Job longer = cluster.job(cluster.waiting(job(HOUR.plusMillis(1)).priority(900)));
        assertThat(preemptor.rank(shorter)).isGreaterThan(preemptor.rank(longer));
        assertThat(preemptor.lesser()).isEqualTo("after it by srtf");
    }
}
