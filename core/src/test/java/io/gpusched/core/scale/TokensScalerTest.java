package io.gpusched.core.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.LoadBuilder;

import org.junit.jupiter.api.Test;

final class TokensScalerTest {
    private static Signals tokens(long waiting) {
        return Signals.of("tokens")
                .replicaTokensPerSecond(1_000)
                .load(1, LoadBuilder.aLoad(1).replica(1, 1, 1, waiting).build());
    }

    @Test
    void tokensThatMakeTheFirstTokenLateGrowThePool() {
        Recommendation found = tokens(8_000).ready(2).recommend();
        assertThat(found.replicas()).isEqualTo(8);
        assertThat(found.reason()).contains("8000 tokens wait").contains("4.00 s");
    }

    /// Read literally, the rule adds the load time always and scales an idle pool to nothing.
    @Test
    void theLoadTimeCountsOnlyWhereNothingIsReady() {
        assertThat(tokens(0).ready(3).recommend().replicas()).isEqualTo(3);
        assertThat(tokens(500).replicas(0, 0, 0).recommend().replicas()).isEqualTo(1);
    }

    @Test
    void growingNeverMakesThePoolSmaller() {
        assertThat(tokens(6_500).replicas(6, 6, 0).recommend().replicas()).isEqualTo(7);
        assertThat(tokens(500).replicas(6, 0, 6).recommend().replicas()).isEqualTo(6);
    }

    @Test
    void replicasThatLoadCount() {
        assertThat(tokens(8_000).replicas(8, 2, 6).recommend().replicas()).isEqualTo(8);
    }

    @Test
    void anIdlePoolShrinksByOneAfterTheCooldown() {
        Signals signals = tokens(0).ready(4);
        assertThat(signals.now(200).recommend().replicas()).isEqualTo(4);
        assertThat(signals.now(301).recommend().replicas()).isEqualTo(3);
    }
}
