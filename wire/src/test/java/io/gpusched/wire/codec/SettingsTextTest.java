package io.gpusched.wire.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.FaultRules;
import io.gpusched.core.model.IdleRules;
import io.gpusched.core.model.TopologyLevels;
import io.gpusched.core.policy.LearnedSettings;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.Plugins;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.core.policy.ScoreWeights;
import io.gpusched.core.policy.learned.ScoreModel;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

final class SettingsTextTest {
    @Test
    void settingsComeBackEqual() {
        var other =
                EngineSettings.builder()
                        .policy(
                                new PolicySettings(
                                        2.5,
                                        false,
                                        Duration.ofMinutes(7),
                                        true,
                                        new PlacementSettings(
                                                "fgd", new ScoreWeights(1, 2, 3, 4, 5.5), 7, true),
                                        Plugins.NONE,
                                        false,
                                        new LearnedSettings(null, Duration.ofMinutes(77))))
                        .maxWaiting(99)
                        .assumedRuntime(Duration.ofMinutes(90))
                        .topologyLevels(
                                TopologyLevels.of(
                                        List.of(
                                                new TopologyLevels.Level(
                                                        "row", List.of("a/b", "c")))))
                        .fairShareSettings(new FairShareSettings(Duration.ofHours(3), true))
                        .idle(new IdleRules(7, Duration.ofMinutes(5), true, Duration.ofSeconds(30)))
                        .predictionSettings(PredictionSettings.USED)
                        .faults(
                                new FaultRules(
                                        5,
                                        Duration.ofMinutes(3),
                                        Duration.ofHours(2),
                                        Duration.ofMinutes(90)))
                        .gpuMemoryPerGpu(true)
                        .build();
        for (EngineSettings each : List.of(EngineSettings.DEFAULT, other)) {
            assertThat(SettingsText.read(SettingsText.write("fair-skip", each, "mine 1.0")))
                    .isEqualTo(new SettingsText.Read("fair-skip", each, "mine 1.0", ""));
        }
    }

    @Test
    void whatSchedulersOfBeforeRecordedIsReadAsTheyTookIt() {
        var set = EngineSettings.DEFAULT.with(PredictionSettings.AS_NEEDED);
        String now = SettingsText.write("fifo", set, "");
        String then = now.replaceAll("(predictions=[^;]*?)[ ,/]true(;|$)", "$1$2");
        assertThat(then).isNotEqualTo(now);
        assertThat(SettingsText.read(then)).isEqualTo(new SettingsText.Read("fifo", set, "", ""));
    }

    @Test
    void recordsWithoutTheNewestSettingsAreReadWithTheUsualOnes() {
        String now = SettingsText.write("fifo", EngineSettings.DEFAULT, "");
        String then = now.replaceAll("(faults|gpu-memory|learned)=[^;]*; ", "");
        assertThat(then).isNotEqualTo(now);
        assertThat(SettingsText.read(then)).isEqualTo(SettingsText.read(now));
    }

    @Test
    void twoModelsGiveTwoFingerprints() {
        var one = new ScoreModel("heads-9", new int[] {2, 1}, new float[] {1, 2, 3});
        var other = new ScoreModel("heads-9", new int[] {2, 1}, new float[] {1, 2, 3.0000002f});
        EngineSettings without = EngineSettings.DEFAULT;
        String text = SettingsText.write("learned", with(one), "");
        assertThat(text)
                .isNotEqualTo(SettingsText.write("learned", with(other), ""))
                .isNotEqualTo(SettingsText.write("learned", without, ""))
                .contains("learned=" + one.name() + ",PT24H");
        SettingsText.Read read = Objects.requireNonNull(SettingsText.read(text));
        assertThat(read.model()).isEqualTo(one.name());
        assertThat(read.with(one)).isEqualTo(with(one));
    }

    private static EngineSettings with(ScoreModel model) {
        PolicySettings rules = PolicySettings.DEFAULT;
        return EngineSettings.DEFAULT.with(rules.with(rules.learned().with(model)));
    }

    @Test
    void anyOtherTextIsNotReadable() {
        assertThat(SettingsText.read("priority")).isNull();
        assertThat(SettingsText.read("SchedulerSection[policy=priority, half-life=3]")).isNull();
        assertThat(SettingsText.read("half-life=soon; policy=fifo")).isNull();
    }
}
