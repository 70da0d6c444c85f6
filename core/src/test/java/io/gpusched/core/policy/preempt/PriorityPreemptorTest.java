package io.gpusched.core.policy.preempt;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.TenantBuilder.aTenant;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Event;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.PreemptionVerdict;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class PriorityPreemptorTest {
    private static final LostWork LOST = new LostWork(Duration.ofMinutes(30));

    private final PriorityPreemptor preemptor = new PriorityPreemptor(LOST, Duration.ZERO, true);
    private final TestCluster cluster = aCluster("n1: 4×A100").with(aTenant("a"));

    private static JobBuilder job(int priority, int gpus) {
        return aJob().of("a").priority(priority).gpus(gpus);
    }

    @Test
    void theLowestPriorityLeavesFirstAndOnlyAsManyAsNeeded() {
        JobId mid = cluster.running(job(20, 2), "n1[0-1]");
        JobId low = cluster.running(job(10, 2), "n1[2-3]");
        assertThat(preemptor).on(job(30, 2), cluster).evicts(low);
        assertThat(preemptor).on(job(30, 3), cluster).evicts(low, mid);
        assertThat(preemptor).on(job(30, 4), cluster).evicts(low, mid);
    }

    @Test
    void aJobOfTheSamePriorityStays() {
        JobId same = cluster.running(job(30, 2), "n1[0-1]");
        JobId below = cluster.running(job(29, 2), "n1[2-3]");
        assertThat(preemptor).on(job(30, 2), cluster).evicts(below);
        assertThat(preemptor)
                .on(job(30, 3), cluster)
                .evictsNothing()
                .judges(same, PreemptionVerdict.NOT_BELOW)
                .judges(below, PreemptionVerdict.LEAVES);
    }

    @Test
    void amongEqualsTheOneThatLosesLeastLeaves() {
        JobId old = cluster.running(job(10, 2), "n1[0-1]");
        cluster.pass(Duration.ofHours(1));
        JobId young = cluster.running(job(10, 2), "n1[2-3]");
        cluster.pass(Duration.ofMinutes(1));
        assertThat(preemptor).on(job(30, 2), cluster).evicts(young);
        assertThat(preemptor).on(job(30, 4), cluster).evicts(young, old);
    }

    @Test
    void aJobThatSavesItsWorkLosesLittle() {
        JobId saving = cluster.running(job(10, 2).saving(), "n1[0-1]");
        cluster.pass(Duration.ofMinutes(51));
        cluster.running(job(10, 2), "n1[2-3]");
        cluster.pass(Duration.ofMinutes(10));
        assertThat(preemptor).on(job(30, 2), cluster).evicts(saving);
    }

    @Test
    void amongEqualsThatLoseTheSameTheLatestJobLeaves() {
        cluster.running(job(10, 2), "n1[0-1]");
        JobId later = cluster.running(job(10, 2), "n1[2-3]");
        assertThat(preemptor).on(job(30, 2), cluster).evicts(later);
    }

    @Test
    void aVictimThatTurnsOutNotToBeNeededStays() {
        cluster.running(job(10, 1), "n1[0]");
        JobId large = cluster.running(job(11, 3), "n1[1-3]");
        assertThat(preemptor).on(job(30, 3), cluster).evicts(large);
    }

    @Test
    void nothingIsEvictedWhereTheJobWouldNotFitEvenThen() {
        JobId low = cluster.running(job(10, 4), "n1[0-3]");
        assertThat(preemptor)
                .on(job(30, 5), cluster)
                .evictsNothing()
                .judges(low, PreemptionVerdict.LEAVES);
    }

    @Test
    void jobsOnNodesThatTheJobCannotUseStay() {
        TestCluster mixed = aCluster("n1: 2×A100, n2: 2×H100").with(aTenant("a"));
        mixed.running(job(1, 2), "n1[0-1]");
        JobId right = mixed.running(job(20, 2), "n2[0-1]");
        assertThat(preemptor).on(job(30, 2).model("H100"), mixed).evicts(right);
    }

    @Test
    void aGangEvictsOnEveryNodeItNeeds() {
        TestCluster two = aCluster("n1: 2×A100, n2: 2×A100").with(aTenant("a"));
        JobId one = two.running(job(10, 2), "n1[0-1]");
        JobId other = two.running(job(10, 2), "n2[0-1]");
        assertThat(preemptor).on(job(30, 2).tasks(2), two).evicts(other, one);
    }

    @Test
    void bothTenantsHaveToAllowIt() {
        cluster.with(aTenant("safe").rules(false, true, 0), aTenant("meek").rules(true, false, 0));
        JobId safe = cluster.running(job(10, 2).of("safe"), "n1[0-1]");
        JobId low = cluster.running(job(10, 2), "n1[2-3]");
        assertThat(preemptor)
                .on(job(30, 3), cluster)
                .evictsNothing()
                .judges(safe, PreemptionVerdict.FORBIDDEN);
        assertThat(preemptor)
                .on(job(30, 2).of("meek"), cluster)
                .evictsNothing()
                .judges(low, PreemptionVerdict.MAY_NOT_PREEMPT);
    }

    @Test
    void aJobThatRunsOnlyOnceIsPreemptedLikeOthers() {
        JobId once = cluster.running(job(10, 4).neverRequeued(), "n1[0-3]");
        assertThat(preemptor).on(job(30, 1), cluster).evicts(once);
    }

    @Test
    void aJobIsPreemptedAsOftenAsItsTenantAllows() {
        cluster.with(aTenant("b").rules(true, true, 2));
        JobId often = cluster.running(job(10, 4).of("b"), "n1[0-3]");
        cluster.requeue(often);
        cluster.run(often, "n1[0-3]");
        assertThat(preemptor).on(job(30, 1), cluster).evicts(often);
        cluster.requeue(often);
        cluster.run(often, "n1[0-3]");
        assertThat(preemptor)
                .on(job(30, 1), cluster)
                .evictsNothing()
                .judges(often, PreemptionVerdict.STOPPED_OFTEN);
    }

    @Test
    void aJobThatIsBeingStoppedIsNotEvictedAgain() {
        JobId stopping = cluster.running(job(10, 4), "n1[0-3]");
        cluster.stop(stopping);
        assertThat(preemptor)
                .on(job(30, 1), cluster)
                .evictsNothing()
                .judges(stopping, PreemptionVerdict.STOPPING);
    }

    @Test
    void aJobThatEndsWithinItsGraceIsNotEvicted() {
        Duration hour = Duration.ofHours(1);
        JobId ending =
                cluster.running(
                        job(10, 4).expecting(hour, hour).grace(Duration.ofSeconds(30)), "n1[0-3]");
        cluster.pass(hour.minusSeconds(31));
        assertThat(preemptor).on(job(30, 1), cluster).evicts(ending);
        cluster.pass(Duration.ofSeconds(1));
        assertThat(preemptor)
                .on(job(30, 1), cluster)
                .evictsNothing()
                .judges(ending, PreemptionVerdict.ENDS_SOON);
        cluster.pass(Duration.ofSeconds(30));
        assertThat(preemptor).on(job(30, 1), cluster).evicts(ending);
    }

    /// Ten points a minute: priority 10, waited 30 minutes, started 10 minutes ago counts as 210.
    @Test
    void whatAJobEarnedByWaitingProtectsItForAWhile() {
        var ageing = new PriorityPreemptor(LOST, Duration.ofSeconds(6), true);
        JobId old = cluster.waiting(job(10, 4));
        cluster.pass(Duration.ofMinutes(30));
        cluster.run(old, "n1[0-3]");
        Instant start = cluster.now();
        cluster.pass(Duration.ofMinutes(10));
        assertThat(ageing.leavesFor(cluster.job(old), cluster.now())).isEqualTo(211);
        assertThat(ageing)
                .on(job(210, 1), cluster)
                .evictsNothing()
                .judges(old, PreemptionVerdict.EARNED);
        assertThat(ageing).on(job(211, 1), cluster).evicts(old);
        Job middling = cluster.job(cluster.waiting(job(110, 1)));
        Instant leaves = start.plus(Duration.ofMinutes(20));
        assertThat(ageing.leavesFor(cluster.job(old), leaves)).isEqualTo(111);
        assertThat(ageing.leavesAt(cluster.job(old), middling, cluster.now()))
                .isEqualTo(leaves.plusSeconds(60));
        assertThat(ageing.nextToLeave(110, cluster.state(), cluster.now()))
                .isEqualTo(leaves.plusSeconds(60));
        assertThat(ageing.nextToLeave(10, cluster.state(), cluster.now())).isNull();
        cluster.pass(Duration.ofMinutes(20));
        assertThat(ageing).on(job(11, 1), cluster).evicts(old);
    }

    @Test
    void timeInWhichAJobWasHeldEarnsNothingUnlessWanted() {
        JobId held = cluster.waiting(job(10, 4));
        cluster.apply(new Event.JobHeld(cluster.now(), held, "test"));
        cluster.pass(Duration.ofMinutes(30));
        cluster.apply(new Event.JobReleased(cluster.now(), held, "test"));
        cluster.run(held, "n1[0-3]");
        Job job = cluster.job(held);
        Duration point = Duration.ofSeconds(6);
        assertThat(new PriorityPreemptor(LOST, point, false).leavesFor(job, cluster.now()))
                .isEqualTo(11);
        assertThat(new PriorityPreemptor(LOST, point, true).leavesFor(job, cluster.now()))
                .isEqualTo(311);
    }
}
