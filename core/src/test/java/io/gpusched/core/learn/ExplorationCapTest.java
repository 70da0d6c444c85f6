package io.gpusched.core.learn;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.function.LongFunction;

/// Explorations stay below their cap on all choices.
final class ExplorationCapTest {
    private static final String[] GPUS = {"A100-80GB", "A100-40GB", "L4-24GB"};

    /// The fraction of `count` choices whose uncertainty is shown as more than a second.
    private static double uncertain(Lessons lessons, int count, LongFunction<String> kinds) {
        int uncertain = 0;
        for (int i = 0; i < count; i++) {
            if (lessons.score(kinds.apply(i), GPUS).sigma() > 1) {
                uncertain++;
            }
        }
        return uncertain / (double) count;
    }

    @Test
    void theCapHoldsForUnseenJobs() {
        Lessons lessons = Lessons.capped(0.25);

        assertThat(uncertain(lessons, 1000, i -> "job-" + i % 10)).isEqualTo(0.25);
        assertThat(lessons.explorationCounts()).isEqualTo(new ExplorationCounts(1000, 250));
    }

    @Test
    void aFewRunsMakeAPairCertain() {
        Lessons lessons = Lessons.usual();
        double first = lessons.score("a", GPUS[0]).sigma();
        for (double seconds : new double[] {5.0, 5.1, 4.9, 5.05, 4.95}) {
            lessons.observe("a", GPUS[0], seconds);
        }
        assertThat(lessons.score("a", GPUS[0]).sigma()).isLessThan(first).isLessThan(1);
    }

    @Test
    void withoutExplorationTheFirstOfEqualsIsChosen() {
        Lessons lessons = Lessons.capped(0);
        for (int i = 0; i < 50; i++) {
            Score score = lessons.score("job-" + i, GPUS);
            assertThat(score.chosen()).isZero();
            assertThat(score.explores()).isFalse();
        }
        assertThat(lessons.explorationCounts().explored()).isZero();
    }

    @Test
    void withoutACapUnseenJobsAreExplored() {
        assertThat(uncertain(Lessons.capped(1), 100, i -> "job-" + i)).isGreaterThan(0.5);
    }

    @Test
    void choicesAreCountedFromZero() {
        Lessons lessons = Lessons.usual();
        assertThat(lessons.explorationCounts()).isEqualTo(ExplorationCounts.NONE);
        assertThat(lessons.explorationCounts().ratio()).isZero();
        for (int i = 0; i < 10; i++) {
            lessons.score("job-" + i, GPUS);
        }
        assertThat(lessons.explorationCounts().total()).isEqualTo(10);
    }

    @Test
    void strictAndLaxCapsHold() {
        Lessons strict = Lessons.capped(0.01);
        uncertain(strict, 100, i -> "job-" + i);
        assertThat(strict.explorationCounts().ratio()).isLessThanOrEqualTo(0.05);

        Lessons lax = Lessons.capped(0.99);
        uncertain(lax, 100, i -> "job-" + i);
        assertThat(lax.explorationCounts().ratio()).isLessThanOrEqualTo(1);
    }

    @Test
    void theBoundIsExactAtEveryMoment() {
        for (double cap : new double[] {0, 0.001, 0.1, 0.25, 1 / 3.0, 0.7, 1}) {
            Lessons lessons = Lessons.capped(cap);
            for (int i = 1; i <= 300; i++) {
                lessons.score("job-" + i, GPUS);
                long bound = (long) Math.ceil(cap * i - 1e-6 * i);
                assertThat(lessons.explorationCounts().explored())
                        .as("cap %s, %s", cap, i)
                        .isEqualTo(bound);
            }
        }
    }

    @Test
    void aCappedChoiceTakesTheFastestAndReportsIt() {
        Lessons lessons = Lessons.capped(0).observe("a", "L4-24GB", 9.9);

        Score score = lessons.score("a", GPUS);
        assertThat(score.chosen()).isEqualTo(2);
        assertThat(score.mean()).isEqualTo(9.9);

        Score unseen = lessons.score("b", GPUS);
        assertThat(unseen.sigma()).isEqualTo(1);
        assertThat(unseen.mean()).isEqualTo(10);
        assertThat(unseen.information()).isGreaterThan(2.5);
        assertThat(unseen.cost()).isLessThan(9.8);
    }
}
