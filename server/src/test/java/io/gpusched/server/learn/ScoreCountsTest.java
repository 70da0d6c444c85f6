package io.gpusched.server.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.learn.ScoreSettings;
import io.gpusched.core.learn.Tally;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;

final class ScoreCountsTest {
    private static final int THREADS = 8;
    private static final int EACH = 20_000;

    @Test
    void theCapHoldsHoweverManyAskAtOnce() throws InterruptedException {
        var settings = ScoreSettings.DEFAULT.withCap(0.1);
        var counts = new ScoreCounts(settings, new Tally(100, 3));
        var broken = new ArrayList<Tally>();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        for (int j = 0; j < EACH; j++) {
                                            counts.decide(true);
                                            Tally seen = counts.tally();
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
        assertThat(counts.tally().total()).isEqualTo(total);
        assertThat(counts.tally().explored()).isEqualTo(settings.mayExplore(total));
    }

    @Test
    void certainChoicesAreCountedAndNeverExplore() {
        var counts = new ScoreCounts(ScoreSettings.DEFAULT.withCap(1), Tally.NONE);
        assertThat(counts.decide(false)).isFalse();
        assertThat(counts.decide(true)).isTrue();
        assertThat(counts.tally()).isEqualTo(new Tally(2, 1));
    }
}
