package io.gpusched.core.policy.order;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.Job;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class FairOrderTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private final FairOrder order = new FairOrder(new PriorityOrder(Duration.ofSeconds(6)));

    @Test
    void insideATenantPriorityAndWaitingDecide() {
        Job low = aJob().priority(100).waiting(1, NOON);
        Job same = aJob().priority(110).waiting(2, NOON.plusSeconds(60));
        Job high = aJob().priority(111).waiting(3, NOON.plusSeconds(60));
        assertThat(order).ties(low, same).puts(high).before(low);
        assertThat(order.pointEvery()).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void tenantsTakeTurns() {
        assertThat(order.byTenant()).isTrue();
    }
}
