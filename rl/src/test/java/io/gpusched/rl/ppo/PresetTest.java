package io.gpusched.rl.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.HashSet;

final class PresetTest {
    @Test
    void baselineStableIsThePublishedOne() {
        assertThat(Preset.parse("baseline_stable").settings())
                .isEqualTo(
                        new PpoSettings(
                                2048,
                                8,
                                0.99,
                                0.95,
                                8,
                                2,
                                0.1,
                                0.01,
                                0.5,
                                0.5,
                                true,
                                1e-4,
                                RateSchedule.EXPONENTIAL,
                                0.2,
                                0.5,
                                0.02,
                                1_000_000,
                                2_000_000,
                                0,
                                1e-3));
        assertThat(Preset.BASELINE_STABLE.settings().updates(200_000)).isEqualTo(98);
    }

    @Test
    void anUnknownPresetIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> Preset.parse("stable"))
                .hasMessage("unknown preset 'stable'; known are " + String.join(", ", Preset.NAMES))
                .hasMessageContaining("baseline_stable, warm_start");
    }

    @Test
    void anUnknownArchitectureIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> Architecture.parse("cnn"))
                .hasMessage("unknown policy architecture 'cnn'; known are mlp, attn, score");
    }

    @Test
    void theRateFollowsItsSchedule() {
        assertThat(RateSchedule.CONSTANT.at(2, 0.2, 0.5)).isEqualTo(2);
        assertThat(RateSchedule.LINEAR.at(2, 0.2, 0.25)).isEqualTo(1.5);
        assertThat(RateSchedule.LINEAR.at(2, 0.2, 1.01)).isZero();
        assertThat(RateSchedule.EXPONENTIAL.at(2, 0.2, 1)).isEqualTo(0.4, within(1e-12));
        assertThat(RateSchedule.EXPONENTIAL.at(2, 0.25, 0.5)).isEqualTo(1, within(1e-12));
    }

    @ParameterizedTest
    @EnumSource(Preset.class)
    void noTrainingSeedIsAnEvaluationSeed(Preset preset) {
        PpoSettings settings = preset.settings();
        var seeds = new HashSet<Long>();
        for (long seed = 1; seed <= 3; seed++) {
            for (long episode = 0; episode < 1000; episode++) {
                seeds.add(settings.episodeSeed(seed, episode));
            }
        }
        assertThat(seeds).hasSize(3000).allMatch(each -> each >= 1_000_000 && each < 2_000_000);
        assertThat(settings.episodeSeed(40, 999_999)).isBetween(1_000_000L, 1_999_999L);
    }
}
