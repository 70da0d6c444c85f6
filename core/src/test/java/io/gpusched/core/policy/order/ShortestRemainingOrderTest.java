package io.gpusched.core.policy.order;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.TenantBuilder.aTenant;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class ShortestRemainingOrderTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ShortestRemainingOrder order = new ShortestRemainingOrder(MINUTE);
    private final TestCluster cluster = aCluster("n1: 8×A100").with(aTenant("a"));

    private Job waiting(JobBuilder job) {
        return cluster.job(cluster.waiting(job));
    }

    private Job ran(JobBuilder job, Duration time) {
        JobId id = cluster.running(job, "n1[0]");
        cluster.pass(time);
        cluster.requeue(id);
        return cluster.job(id);
    }

    @Test
    void theShorterJobGoesFirst() {
        Job unknown = waiting(aJob().limit(Duration.ZERO));
        Job limited = waiting(aJob().limit(HOUR));
        Job expected = waiting(aJob().limit(HOUR).expecting(HOUR.minusMillis(1), HOUR));
        assertThat(order).puts(expected).before(limited).puts(limited).before(unknown);
    }

    @Test
    void aJobThatSavesItsWorkHasLessLeftAfterEachRun() {
        Job saved = ran(aJob().saving().limit(HOUR), MINUTE.multipliedBy(20));
        Job same = waiting(aJob().limit(MINUTE.multipliedBy(41)));
        assertThat(order).ties(saved, same);
    }

    @Test
    void aJobThatSavesNothingStartsAgainAndPaysForTheRestart() {
        Job stopped = ran(aJob().limit(HOUR), MINUTE.multipliedBy(20));
        assertThat(order).ties(stopped, waiting(aJob().limit(HOUR.plus(MINUTE))));
    }

    @Test
    void whatIsLeftOfARunningJobOnlyFalls() {
        JobId id = cluster.running(aJob().limit(HOUR), "n1[0]");
        Instant start = cluster.now();
        Job job = cluster.job(id);
        assertThat(order.runningKey(job, start)).isEqualTo(HOUR.toMillis());
        assertThat(order.runningKey(job, start.plus(MINUTE)))
                .isEqualTo(HOUR.minus(MINUTE).toMillis());
        assertThat(order.runningKey(job, start.plus(HOUR).plus(HOUR))).isZero();
        assertThat(order.rises(job, start)).isNull();
    }

    @Test
    void whatIsLeftOfAJobWithoutALimitIsUnknown() {
        JobId id = cluster.running(aJob().limit(Duration.ZERO), "n1[0]");
        assertThat(order.runningKey(cluster.job(id), cluster.now().plus(HOUR)))
                .isEqualTo(Long.MAX_VALUE);
    }
}
