package io.gpusched.core.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.List;

/// The slowdown by neighbours is learned against runs of the job alone.
final class InterferencePenaltyTest {
    private static final String GPU = "A100-80GB";

    private final Lessons lessons = Lessons.heedingNeighbours();

    private void runs(String kind, double seconds, String... neighbours) {
        for (int i = 0; i < 5; i++) {
            lessons.observe(kind, GPU, seconds, neighbours);
        }
    }

    private double penalty(String kind, String... neighbours) {
        return lessons.score(kind, List.of(neighbours), GPU).penalty();
    }

    @Test
    void aSlowdownIsLearned() {
        runs("a", 10);
        runs("a", 15, "b");
        assertThat(penalty("a", "b")).isBetween(0.1, 1.0).isCloseTo(0.204755, within(1e-6));
        assertThat(lessons.score("a", GPU).mean()).isCloseTo(10, within(1e-9));
    }

    @Test
    void aSlowdownIsPartOfTheAnswerAndOfTheCost() {
        runs("a", 10);
        runs("a", 15, "b");
        Score alone = lessons.score("a", GPU);
        Score beside = lessons.score("a", List.of("b"), GPU);
        assertThat(alone.penalty()).isZero();
        assertThat(beside.penalty()).isPositive();
        assertThat(beside.cost()).isCloseTo(alone.cost() + 0.5 * beside.penalty(), within(1e-9));
    }

    @Test
    void worseNeighboursCostMore() {
        runs("a", 10);
        runs("a", 15, "worst");
        runs("a", 13, "worse");
        runs("a", 11, "bad");
        assertThat(penalty("a", "worst")).isGreaterThan(penalty("a", "worse"));
        assertThat(penalty("a", "worse")).isGreaterThan(penalty("a", "bad"));
    }

    @Test
    void everyBadNeighbourIsNamedAndNoOther() {
        runs("a", 5);
        runs("a", 8, "one");
        runs("a", 8, "two");
        runs("a", 5, "good");
        Score score = lessons.score("a", List.of("two", "good", "one", "unknown", "two"), GPU);
        assertThat(score.avoid()).containsExactly("two", "one");
    }

    @Test
    void ignoredNeighboursCostNothing() {
        var off = new Lessons(ScoreSettings.DEFAULT.withCap(1));
        for (int i = 0; i < 5; i++) {
            off.observe("a", GPU, 10).observe("a", GPU, 20, "b");
        }
        Score score = off.score("a", List.of("b"), GPU);
        assertThat(score.penalty()).isZero();
        assertThat(score.avoid()).isEmpty();
    }

    @Test
    void severalNeighboursCountOnAverage() {
        runs("a", 10);
        runs("a", 11, "ten");
        runs("a", 12, "twenty");
        runs("a", 11.5, "fifteen");
        double all = penalty("a", "ten", "twenty", "fifteen");
        assertThat(all).isGreaterThan(penalty("a", "ten"));
        assertThat(all)
                .isLessThanOrEqualTo(
                        penalty("a", "ten") + penalty("a", "twenty") + penalty("a", "fifteen"));
    }

    @Test
    void slowdownsAreInTheImage() {
        runs("a", 10);
        runs("a", 15, "b");
        Learner again = Learner.restored(lessons.learner().image());
        assertThat(again.image()).isEqualTo(lessons.learner().image());
        assertThat(again.digest()).isEqualTo(lessons.learner().digest());
        assertThat(again.book().slowdowns()).hasSize(1);
    }
}
