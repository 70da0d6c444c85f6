package io.gpusched.core.policy.order;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.LinkedHashSet;

final class RandomOrderTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private final RandomOrder order = new RandomOrder();

    @Test
    void onlyTheNumberOfAJobCounts() {
        assertThat(order)
                .ties(
                        aJob().gpus(8).priority(1).waiting(7, NOON),
                        aJob().gpus(1).priority(9).waiting(7, NOON.plusSeconds(1)));
    }

    @Test
    void jobsComeInNoOrderThatTheirNumbersTell() {
        var keys = new LinkedHashSet<Long>();
        int rising = 0;
        long before = 0;
        for (int number = 1; number <= 1000; number++) {
            long key = order.key(aJob().waiting(number, NOON));
            assertThat(key).isNotNegative();
            rising += key > before ? 1 : 0;
            before = key;
            keys.add(key);
        }
        assertThat(keys).hasSize(1000);
        assertThat(rising).isBetween(450, 550);
    }
}
