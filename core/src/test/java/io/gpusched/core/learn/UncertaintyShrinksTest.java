package io.gpusched.core.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.Random;

/// The shown uncertainty is that of the mean, and it shrinks with every run.
final class UncertaintyShrinksTest {
    private static final String GPU = "A100-80GB";

    private final Lessons lessons = Lessons.capped(1);

    private double sigma(String kind) {
        return lessons.score(kind, GPU).sigma();
    }

    @Test
    void aFewRunsShrinkTheUncertaintyAndFindTheMean() {
        double first = sigma("a");
        assertThat(first).isGreaterThan(2);
        var random = new Random(42);
        for (int i = 0; i < 10; i++) {
            lessons.observe("a", GPU, 8 + random.nextGaussian() * 0.3);
        }
        assertThat(sigma("a")).isLessThan(first);
        assertThat(lessons.score("a", GPU).mean()).isCloseTo(8, within(1.0));
    }

    @Test
    void equalRunsShrinkTheUncertaintyEveryTime() {
        double last = sigma("a");
        for (int i = 0; i < 20; i++) {
            lessons.observe("a", GPU, 12);
            assertThat(sigma("a")).as("run %s", i).isLessThanOrEqualTo(last);
            last = sigma("a");
        }
    }

    @Test
    void theUncertaintyNeverVanishes() {
        for (int i = 0; i < 100; i++) {
            lessons.observe("a", GPU, 7);
        }
        assertThat(sigma("a")).isBetween(0.01, 1.0);
    }

    @Test
    void runsThatDifferWidelyLeaveTheMeanUncertain() {
        double sum = 0;
        for (long seed = 1; seed <= 20; seed++) {
            var random = new Random(seed);
            for (int i = 0; i < 50; i++) {
                lessons.observe("noisy-" + seed, GPU, random.nextDouble(1, 20));
            }
            sum += sigma("noisy-" + seed);
            assertThat(sigma("noisy-" + seed)).as("seed %s", seed).isBetween(0.9, 1.8);
        }
        assertThat(sum / 20).isCloseTo(1.26, within(0.1));
    }

    @Test
    void pairsAreIndependent() {
        for (int i = 0; i < 10; i++) {
            lessons.observe("a", GPU, 5);
        }
        assertThat(sigma("a")).isLessThan(1);
        assertThat(sigma("b")).isEqualTo(5);
        assertThat(lessons.score("a", "L4-24GB").sigma()).isEqualTo(5);
    }

    @Test
    void moreUncertaintyIsMoreToLearn() {
        double last = -1;
        for (double variance : new double[] {0, 0.01, 0.1, 1, 5, 25, 100, 1000}) {
            double information = ScoreSettings.DEFAULT.information(variance);
            assertThat(information).isGreaterThan(last).isBetween(0.0, 10.0);
            last = information;
        }
    }

    @Test
    void runsShrinkTheUncertaintyOfScores() {
        Score before = lessons.score("a", GPU);
        for (int i = 0; i < 5; i++) {
            lessons.observe("a", GPU, 9);
        }
        Score after = lessons.score("a", GPU);
        assertThat(after.sigma()).isLessThan(before.sigma());
        assertThat(after.information()).isLessThan(before.information());
    }
}
