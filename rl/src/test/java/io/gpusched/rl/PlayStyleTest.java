package io.gpusched.rl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class PlayStyleTest {
    private final Environment environment = new Environment(EnvironmentSettings.USUAL);

    /// The GPU time of an episode in which all jobs end is that of its jobs.
    @Test
    void busyGpusAddUpToTheWorkOfTheJobs() {
        Evaluation.Episode episode = Evaluation.play(Baseline.INDEX, environment, 2_000_001);
        assertThat(episode.terminated()).isTrue();
        double work = environment.jobs().totalWork();
        assertThat(8 * episode.style().busy() * episode.end()).isEqualTo(work, within(1e-3 * work));
    }

    @Test
    void aRuleForWideJobsFillsMoreGpusThanARuleForShortOnes() {
        PlayStyle index = Evaluation.play(Baseline.INDEX, environment, 2_000_001).style();
        PlayStyle shortest = Evaluation.play(Baseline.SJF, environment, 2_000_001).style();
        assertThat(index.busy()).isGreaterThan(shortest.busy());
        assertThat(index.exact()).isBetween(0.0, 1.0);
        assertThat(index.running()).isBetween(1.0, 8.0);
    }
}
