package io.gpusched.server.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.learn.ExplorationCounts;
import io.gpusched.core.learn.ScoreSettings;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;

final class ScoreCountsTest {
    private static final int THREADS = 8;
    private static final int EACH = 20_000;

    @Test
    void theCapHoldsHoweverManyAskAtOnce() throws InterruptedException {
        var settings = ScoreSettings.DEFAULT.withCap(0.1);
        var counts = new ScoreCounts(settings, new ExplorationCounts(100, 3));
        var broken = new ArrayList<ExplorationCounts>();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        for (int j = 0; j < EACH; j++) {
                                            counts.decide(true);
                                            ExplorationCounts seen = counts.explorationCounts();
                                            if (seen.explored()
                                                    > settings.mayExplore(seen.total())) {
                                                synchronized (broken) {
                                                    broken.add(seen);
                                                }
                                            }
                                        }
                                    }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(broken).isEmpty();
        long total = 100 + THREADS * (long) EACH;
        assertThat(counts.explorationCounts().total()).isEqualTo(total);
        assertThat(counts.explorationCounts().explored()).isEqualTo(settings.mayExplore(total));
    }

    @Test
    void certainChoicesAreCountedAndNeverExplore() {
        var counts = new ScoreCounts(ScoreSettings.DEFAULT.withCap(1), ExplorationCounts.NONE);
        assertThat(counts.decide(false)).isFalse();
        assertThat(counts.decide(true)).isTrue();
        assertThat(counts.explorationCounts()).isEqualTo(new ExplorationCounts(2, 1));
    }
}
