package io.gpusched.rl.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class AdamTest {
    @Test
    void theFirstStepIsOneRateAgainstTheSignOfTheGradient() {
        float[] weights = {1, 1, 1};
        new Adam(3).step(weights, new float[] {5, -0.01f, 0}, 1, 0.1);
        assertThat(weights[0]).isEqualTo(0.9f, within(1e-5f));
        assertThat(weights[1]).isEqualTo(1.1f, within(1e-5f));
        assertThat(weights[2]).isEqualTo(1);
    }

    @Test
    void aParabolaIsDescended() {
        float[] weights = {3, -2};
        var adam = new Adam(2);
        for (int i = 0; i < 2000; i++) {
            adam.step(weights, new float[] {2 * (weights[0] - 1), 2 * weights[1]}, 1, 0.01);
        }
        assertThat(weights[0]).isEqualTo(1, within(1e-2f));
        assertThat(weights[1]).isEqualTo(0, within(1e-2f));
    }

    @Test
    void onlyALongGradientIsShortened() {
        float[] gradient = {3, 4};
        assertThat(Adam.clipScale(Adam.squaredNorm(gradient), 10)).isEqualTo(1);
        assertThat(Adam.clipScale(Adam.squaredNorm(gradient), 0.5)).isEqualTo(0.1f);
    }
}
