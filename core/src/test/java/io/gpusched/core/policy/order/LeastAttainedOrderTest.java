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
import java.util.Objects;

final class LeastAttainedOrderTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final LeastAttainedOrder order = new LeastAttainedOrder(3600);
    private final TestCluster cluster = aCluster("n1: 8×A100").with(aTenant("a"));

    /// The job as it waits again after it ran for this long.
    private Job ran(JobBuilder job, Duration time) {
        JobId id = cluster.running(job, "n1[0]");
        cluster.pass(time);
        cluster.requeue(id);
        return cluster.job(id);
    }

    @Test
    void firstComeFirstServedAmongJobsThatHadLittle() {
        Job early = ran(aJob(), HOUR);
        Job late = cluster.job(cluster.waiting(aJob()));
        assertThat(order).puts(early).before(late);
    }

    @Test
    void aJobThatHadMoreThanItsPartFallsBehindAllOthers() {
        Job early = ran(aJob(), HOUR.plusMillis(1));
        Job next = ran(aJob(), HOUR.plusMillis(1));
        Job late = cluster.job(cluster.waiting(aJob()));
        assertThat(order).puts(late).before(early).puts(early).before(next);
    }

    @Test
    void twoGpusFallBehindInHalfTheTime() {
        JobId id = cluster.running(aJob().gpus(2), "n1[0-1]");
        Instant half = cluster.now().plus(HOUR.dividedBy(2));
        Job job = cluster.job(id);
        assertThat(order.runningKey(job, half)).isEqualTo(order.key(job));
        assertThat(order.runningKey(job, half.plusNanos(1000))).isGreaterThan(order.key(job));
    }

    @Test
    void theKeyOfARunningJobRisesOnce() {
        JobId id = cluster.running(aJob(), "n1[0]");
        Instant full = cluster.now().plus(HOUR);
        Job job = cluster.job(id);
        Instant rises = Objects.requireNonNull(order.rises(job, cluster.now()));
        assertThat(rises).isEqualTo(full.plusNanos(1000));
        assertThat(order.runningKey(job, rises)).isGreaterThan(order.runningKey(job, full));
        assertThat(order.rises(job, rises)).isNull();
    }

    @Test
    void earlierRunsCount() {
        JobId id = ran(aJob(), HOUR.dividedBy(4)).id();
        cluster.run(id, "n1[0]");
        assertThat(order.rises(cluster.job(id), cluster.now()))
                .isEqualTo(cluster.now().plus(HOUR.dividedBy(4).multipliedBy(3)).plusNanos(1000));
    }
}
