package io.gpusched.core.policy.order;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.QueueOrder;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class PluginOrderTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    /// By priority, and it fails for priority 13.
    private static final class Strange implements QueueOrder {
        @Override
        public String name() {
            return "strange";
        }

        @Override
        public long key(Job job) {
            if (job.priority() == 13) {
                throw new IllegalStateException("unlucky");
            }
            return job.priority();
        }

        @Override
        public Duration pointEvery() {
            return Duration.ofSeconds(7);
        }
    }

    private final PluginOrder order = new PluginOrder(new Strange());

    @Test
    void aJobThatItFailsOnStandsLast() {
        Job failing = aJob().priority(13).waiting(1, NOON);
        Job last = aJob().priority(1_000_000).waiting(2, NOON);
        assertThat(order).puts(last).before(failing);
    }

    @Test
    void allElseIsAsThePluginSays() {
        Job one = aJob().priority(1).waiting(2, NOON);
        Job two = aJob().priority(2).waiting(1, NOON);
        assertThat(order).puts(one).before(two);
        assertThat(order.name()).isEqualTo("strange");
        assertThat(order.pointEvery()).isEqualTo(Duration.ofSeconds(7));
    }
}
