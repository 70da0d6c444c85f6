package io.gpusched.rl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.sim.generate.BenchmarkWorkload;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Objects;

final class EnvironmentTest {
    private static final long SEED = 2_000_001;

    private final Environment environment = new Environment(EnvironmentSettings.USUAL);

    /// Episodes of the original benchmark, with returns to six digits.
    @ParameterizedTest
    @CsvFileSource(resources = "/episodes.csv", numLinesToSkip = 1)
    void anEpisodeEndsAsInTheBenchmark(
            long seed,
            String player,
            double total,
            int steps,
            int waits,
            boolean terminated,
            double end,
            int ended) {
        var episode =
                Evaluation.play(Objects.requireNonNull(Baseline.named(player)), environment, seed);
        assertThat(episode.total()).isEqualTo(total, within(5e-7));
        assertThat(episode.steps()).isEqualTo(steps);
        assertThat(episode.waits()).isEqualTo(waits);
        assertThat(episode.terminated()).isEqualTo(terminated);
        assertThat(episode.end()).isEqualTo(end);
        assertThat(episode.ended()).isEqualTo(ended);
    }

    @Test
    void theHorizonIsTheOriginalOne() {
        environment.reset(SEED);
        assertThat(environment.horizon()).isEqualTo(262161.28583545686);
    }

    @Test
    void theSameSeedAndActionsGiveTheSameEpisode() {
        var first = Evaluation.play(Baseline.RAND_FEAS_NO0, environment, SEED);
        var again =
                Evaluation.play(
                        Baseline.RAND_FEAS_NO0, new Environment(EnvironmentSettings.USUAL), SEED);
        assertThat(again).isEqualTo(first);
    }

    @Test
    void theLedgerAgreesWithWhatIsSeen() {
        Observation seen = environment.reset(SEED);
        for (int i = 0; i < 300; i++) {
            Step step = environment.step(Baseline.SJF.choose(seen, environment.random()));
            assertThat(step.invalid()).isFalse();
            assertThat(seen.jobs()).isEqualTo((int) Math.min(50, environment.waitingJobs()));
            assertThat(seen.idle() + seen.busy()).isEqualTo(1, within(1e-6f));
            boolean[] mask = environment.mask();
            for (int place = 0; place < seen.window(); place++) {
                assertThat(mask[place + 1]).isEqualTo(seen.isFeasible(place));
            }
        }
    }

    @Test
    void whatCannotBeDoneCountsAsWaiting() {
        environment.reset(SEED);
        Step invalid = environment.step(50);
        var other = new Environment(EnvironmentSettings.USUAL);
        other.reset(SEED);
        Step waited = other.step(0);
        assertThat(invalid.invalid()).isTrue();
        assertThat(waited.invalid()).isFalse();
        assertThat(invalid.reward()).isEqualTo(waited.reward());
        assertThat(environment.observation().numbers()).isEqualTo(other.observation().numbers());
        assertThat(environment.step(-1).invalid()).isTrue();
        assertThat(environment.step(51).invalid()).isTrue();
    }

    @Test
    void waitingAlthoughAJobCouldStartCosts() {
        environment.reset(SEED);
        Step arrives = environment.step(0);
        assertThat(arrives.reward()).isNegative();
        double before = environment.now();
        Step waits = environment.step(0);
        assertThat(environment.now()).isGreaterThan(before);
        assertThat(waits.reward()).isLessThan(arrives.reward());
    }

    @Test
    void stepsRunOut() {
        var settings = new EnvironmentSettings(BenchmarkWorkload.USUAL, 50, 10, 1.3, Lookahead.OFF);
        var episode = Evaluation.play(Baseline.FIFO, new Environment(settings), SEED);
        assertThat(episode.steps()).isEqualTo(10);
        assertThat(episode.terminated()).isFalse();
        assertThat(episode.total()).isLessThan(-0.9);
    }

    @Test
    void whoOnlyWaitsSeesTheClockStandStill() {
        var workload = new BenchmarkWorkload(3, 4, 100, BenchmarkWorkload.Spacing.ALL_AT_ZERO, 100);
        var settings = new EnvironmentSettings(workload, 10, 5, 1.3, Lookahead.CDF);
        var idle = new Environment(settings);
        assertThat(idle.reset(1).jobs()).isEqualTo(3);
        for (int i = 0; i < 4; i++) {
            assertThat(idle.step(0).isLast()).isFalse();
            assertThat(idle.now()).isZero();
        }
        assertThat(idle.step(0).truncated()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Lookahead.class)
    void lookingAheadChangesNumbersButNotTheirCount(Lookahead lookahead) {
        var workload = new BenchmarkWorkload(40, 4, 1000, BenchmarkWorkload.Spacing.BURSTY, 1000);
        var plain =
                new Environment(new EnvironmentSettings(workload, 10, 99, 1.3, Lookahead.PER_GPU));
        var other = new Environment(new EnvironmentSettings(workload, 10, 99, 1.3, lookahead));
        plain.reset(123);
        other.reset(123);
        for (int i = 0; i < 20; i++) {
            int action = Baseline.FIFO.choose(plain.observation(), plain.random());
            plain.step(action);
            other.step(action);
            float[] left = new float[4];
            System.arraycopy(plain.observation().numbers(), 40, left, 0, 4);
            float[] expected = new float[4];
            lookahead.write(left, expected, 0);
            assertThat(other.observation().numbers()).hasSize(46);
            for (int gpu = 0; gpu < 4; gpu++) {
                assertThat(other.observation().numbers()[40 + gpu]).isEqualTo(expected[gpu]);
            }
        }
    }

    @Test
    void lookingAheadTransformsAsTheModesSay() {
        float[] left = {.4f, 0, .1f, 0};
        assertThat(written(Lookahead.OFF, left)).containsExactly(0, 0, 0, 0);
        assertThat(written(Lookahead.PER_GPU, left)).containsExactly(.4f, 0, .1f, 0);
        assertThat(written(Lookahead.SORTED, left)).containsExactly(0, 0, .1f, .4f);
        assertThat(written(Lookahead.CDF, left)).containsExactly(.75f, 1, 1, 1);
    }

    private static float[] written(Lookahead mode, float[] left) {
        var seen = new float[left.length];
        mode.write(left, seen, 0);
        return seen;
    }
}
