package io.gpusched.rl.ppo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ShippedCheckpointTest {
    private static final int MOST_BYTES = 2 << 20;

    @Test
    void itCanBeReadAndIsSmall() {
        assertThat(ShippedCheckpoint.bytes()).hasSizeLessThan(MOST_BYTES);
        Checkpoint shipped = ShippedCheckpoint.read();
        assertThat(shipped.state()).isNull();
        assertThat(shipped.policy().weights()).doesNotContain(Float.NaN);
    }
}
