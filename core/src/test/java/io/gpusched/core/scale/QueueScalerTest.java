package io.gpusched.core.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.LoadBuilder;
import io.gpusched.core.pool.QueueRule;

import org.junit.jupiter.api.Test;

final class QueueScalerTest {
    private static Signals queue(long depth, long maxLag) {
        return Signals.of("queue")
                .queue(new QueueRule(10, 5_000, maxLag))
                .load(1, LoadBuilder.aLoad(1).queue(depth).build());
    }

    @Test
    void theLagDecidesWhetherThePoolGrowsAndTheDepthByHowMuch() {
        Recommendation found = queue(350, 50).ready(5).recommend();
        assertThat(found.replicas()).isEqualTo(5 + 6);
        assertThat(found.reason()).contains("350 messages").contains("100 beyond");
        assertThat(queue(350, 100).ready(5).recommend().replicas()).isEqualTo(5);
    }

    /// 150 messages, 5 replicas, 10 at once, 5 per second each: two more.
    @Test
    void theDocumentedExampleAddsTwo() {
        assertThat(queue(150, 0).replicas(2, 2, 0).recommend().replicas()).isEqualTo(2 + 3);
        assertThat(queue(150, 0).replicas(5, 5, 0).recommend().replicas()).isEqualTo(4);
    }

    @Test
    void aPoolOfNothingStartsWithTheFirstMessage() {
        assertThat(queue(1, 100).between(0, 9).replicas(0, 0, 0).recommend().replicas())
                .isEqualTo(1);
    }

    @Test
    void anEmptyQueueStopsThePoolAfterTheCooldown() {
        Signals signals = queue(1, 100).between(0, 9).replicas(1, 1, 0);
        for (int i = 2; i < 400; i++) {
            signals.load(i, LoadBuilder.aLoad(i).build());
        }
        assertThat(signals.now(200).recommend().replicas()).isEqualTo(1);
        assertThat(signals.now(399).recommend().replicas()).isZero();
    }

    @Test
    void withoutAReportTheSizeStays() {
        assertThat(queue(1_000, 0).ready(3).now(100).recommend().replicas()).isEqualTo(3);
    }
}
