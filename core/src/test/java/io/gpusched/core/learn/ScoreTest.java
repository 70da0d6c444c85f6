package io.gpusched.core.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Objects;

/// The numbers of the published score API document, to six digits.
final class ScoreTest {
    private static final Offset<Double> SIX_DIGITS = within(5e-6);

    @Test
    void anUnseenPairCostsWhatTheDocumentSays() {
        Score score = Lessons.usual().score("train-bert", "A100-80GB", "L4-24GB");

        assertThat(score.chosen()).isZero();
        assertThat(score.priority()).isEqualTo(50);
        assertThat(score.mean()).isEqualTo(10);
        assertThat(score.sigma()).isEqualTo(5);
        assertThat(score.information()).isCloseTo(2.56099, SIX_DIGITS);
        assertThat(score.penalty()).isZero();
        assertThat(score.cost()).isCloseTo(9.70731, SIX_DIGITS);
        assertThat(score.explores()).isTrue();
    }

    @Test
    void afterOneRunTheOtherGpuIsTried() {
        Lessons lessons = Lessons.usual().observe("train-bert", "A100-80GB", 73.4);

        Score score = lessons.score("train-bert", "A100-80GB", "L4-24GB");
        assertThat(score.chosen()).isEqualTo(1);
        assertThat(score.priority()).isEqualTo(100);
        assertThat(score.cost()).isCloseTo(9.70731, SIX_DIGITS);

        Score seen = lessons.score("train-bert", "A100-80GB");
        assertThat(seen.cost()).isCloseTo(72.98709, SIX_DIGITS);
        assertThat(seen.sigma()).isEqualTo(1);
        assertThat(seen.explores()).isFalse();
    }

    @Test
    void informationIsWhatTheDocumentSays() {
        ScoreSettings settings = ScoreSettings.DEFAULT;

        assertThat(settings.information(25)).isCloseTo(2.56099, SIX_DIGITS);
        assertThat(settings.information(1)).isCloseTo(1.01844, SIX_DIGITS);
        assertThat(settings.information(0.01)).isCloseTo(0.03227, SIX_DIGITS);
    }

    @Test
    void laterRunsCountATenth() {
        Lessons lessons = Lessons.usual().observe("a", "L4", 73.4).observe("a", "L4", 83.4);

        var pair = Objects.requireNonNull(lessons.learner().book().pair("a", "L4"));
        assertThat(pair.alone().mean()).isCloseTo(74.4, SIX_DIGITS);
        assertThat(pair.alone().variance()).isCloseTo(10.9, SIX_DIGITS);
    }

    @Test
    void spellingsOfAGpuMeanTheSame() {
        Lessons lessons = Lessons.usual().observe("a", GpuType.read("A100 80Gi").name(), 3);

        assertThat(lessons.score("a", "NVIDIA A100-SXM4-80GB").mean()).isEqualTo(3);
        assertThat(GpuType.read("my-own-card")).isEqualTo(new GpuType("my-own-card", 0));
    }

    @Test
    void aGpuWithTooLittleMemoryIsNoCandidate() {
        ScoreView view = Lessons.usual().observe("a", "A100-80GB", 73.4).view();
        List<GpuType> types = List.of(GpuType.read("L4-24GB"), GpuType.read("A100-80GB"));
        Exploration always = wants -> wants;

        Score score = Objects.requireNonNull(view.score("a", types, List.of(), 40, always));
        assertThat(score.chosen()).isEqualTo(1);
        assertThat(score.priority()).isEqualTo(50);
        assertThat(view.score("a", types, List.of(), 100, always)).isNull();
        assertThat(view.score("a", List.of(GpuType.read("mine")), List.of(), 100, always))
                .isNotNull();
    }

    @Test
    void runsBesideOthersCountWhereNoneWasAlone() {
        Lessons lessons = Lessons.usual().observe("a", "L4", 40, "noisy");
        assertThat(lessons.score("a", "L4").mean()).isEqualTo(40);
        lessons.observe("a", "L4", 20);
        assertThat(lessons.score("a", "L4").mean()).isEqualTo(20);
    }
}
