package io.gpusched.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.LoadBuilder;
import io.gpusched.core.model.JobId;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Random;

final class LoadHistoryTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final LoadHistory history = new LoadHistory();

    private static Instant at(double seconds) {
        return START.plusNanos(Math.round(seconds * 1e9));
    }

    @Test
    void aRepeatedOrOlderReportHasNoEffect() {
        history.add(at(1), LoadBuilder.aLoad(7).arrivals(3, 300).build());
        long digest = history.digest();
        history.add(at(2), LoadBuilder.aLoad(7).arrivals(3, 300).build());
        history.add(at(2), LoadBuilder.aLoad(6).arrivals(9, 900).build());
        assertThat(history.digest()).isEqualTo(digest);
        assertThat(history.sum(at(5), Duration.ofSeconds(5)).of(LoadCount.ARRIVALS)).isEqualTo(3);
    }

    @Test
    void aSourceThatWasSilentMayBeginItsSequenceAnew() {
        history.add(at(1), LoadBuilder.aLoad(700).arrivals(3, 300).build());
        history.add(at(40), LoadBuilder.aLoad(1).arrivals(4, 400).build());
        assertThat(Objects.requireNonNull(history.newest()).load().sequence()).isEqualTo(1);
    }

    @Test
    void reportsOfSeveralSourcesAddUp() {
        history.add(
                at(1),
                LoadBuilder.aLoad(1).from("a").arrivals(3, 30).replica(1, 2, 1, 100).build());
        history.add(
                at(1),
                LoadBuilder.aLoad(1)
                        .from("b")
                        .arrivals(4, 40)
                        .held(2, 50)
                        .replica(1, 5, 0, 0)
                        .build());
        LoadNow now = history.since(at(0));
        assertThat(now.ready()).isEqualTo(1);
        assertThat(now.inFlight()).isEqualTo(2 + 1 + 5 + 2);
        assertThat(now.tokensInQueue()).isEqualTo(150);
        assertThat(history.sum(at(5), Duration.ofSeconds(5)).of(LoadCount.ARRIVALS)).isEqualTo(7);
    }

    @Test
    void anOldReportIsNotPartOfThePresentLoad() {
        history.add(at(1), LoadBuilder.aLoad(1).from("a").held(3, 30).build());
        history.add(at(60), LoadBuilder.aLoad(1).from("b").held(1, 10).build());
        assertThat(history.since(at(30)).held()).isEqualTo(1);
        assertThat(history.since(at(30)).sources()).isEqualTo(1);
    }

    /// A scraper that reports every half minute must not look like a burst.
    @Test
    void aReportIsSpreadOverTheTimeThatItCovers() {
        history.add(
                at(30),
                LoadBuilder.aLoad(1).over(Duration.ofSeconds(30)).arrivals(61, 610).build());
        history.add(
                at(60),
                LoadBuilder.aLoad(2).over(Duration.ofSeconds(30)).arrivals(61, 610).build());
        assertThat(history.intervals())
                .extracting(each -> each.of(LoadCount.ARRIVALS))
                .hasSize(7)
                .endsWith(10L, 10L, 10L, 10L, 10L, 11L);
        assertThat(history.sum(at(60), Duration.ofSeconds(30)).of(LoadCount.ARRIVALS))
                .isEqualTo(61);
    }

    @Test
    void theHistoryIsBoundedWhateverSourcesSend() {
        for (int i = 1; i <= 8_000; i++) {
            history.add(at(i), LoadBuilder.aLoad(i).from("source " + i % 500).build());
        }
        assertThat(history.intervals()).hasSize(LoadHistory.INTERVALS);
        assertThat(history.newestBySource()).hasSize(64);
    }

    @Test
    void silenceForLongerThanTheHistoryEmptiesIt() {
        history.add(at(1), LoadBuilder.aLoad(1).arrivals(5, 50).build());
        history.add(at(100_000), LoadBuilder.aLoad(2).arrivals(1, 10).build());
        assertThat(history.intervals()).hasSize(1);
        assertThat(history.lastRequest()).isEqualTo(at(100_000));
    }

    @Test
    void aSnapshotContinuesAsTheOriginal() {
        var random = new Random(1);
        for (int i = 1; i <= 900; i++) {
            history.add(at(i), random(random, i));
        }
        LoadHistory restored = LoadHistory.restored(history.image());
        assertThat(restored.image()).isEqualTo(history.image());
        for (int i = 901; i <= 1_000; i++) {
            PoolLoad load = random(random, i);
            history.add(at(i), load);
            restored.add(at(i), load);
        }
        assertThat(restored.digest()).isEqualTo(history.digest());
        assertThat(restored.image()).isEqualTo(history.image());
    }

    private static PoolLoad random(Random random, long sequence) {
        return LoadBuilder.aLoad(sequence)
                .from("source " + random.nextInt(3))
                .arrivals(random.nextInt(20), random.nextInt(20_000))
                .output(random.nextInt(4_000))
                .replica(
                        new ReplicaLoad(
                                new JobId(1 + random.nextInt(4)),
                                true,
                                random.nextInt(60),
                                random.nextInt(5),
                                random.nextInt(5_000),
                                random.nextInt(1_000),
                                random.nextInt(900),
                                20_000 + random.nextInt(100_000),
                                random.nextInt(9_000),
                                1 + random.nextInt(900)))
                .build();
    }
}
