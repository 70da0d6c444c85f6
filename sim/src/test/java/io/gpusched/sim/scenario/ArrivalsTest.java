package io.gpusched.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

final class ArrivalsTest {
    private static final Duration GAP = Duration.ofMinutes(1);
    private static final int MANY = 40_000;

    static List<Arrivals> streams() {
        return List.of(
                new Arrivals.Poisson(GAP),
                new Arrivals.Bursty(GAP, 20, 0.1, Duration.ofMinutes(20)),
                new Arrivals.Diurnal(GAP, 0.9));
    }

    @ParameterizedTest
    @MethodSource("streams")
    void jobsComeOncePerGapInTheLongRun(Arrivals arrivals) {
        List<Duration> times = times(arrivals, 1);
        assertThat(times).isSorted();
        double mean = (double) times.getLast().toMillis() / MANY / GAP.toMillis();
        assertThat(mean).isBetween(0.9, 1.1);
    }

    @ParameterizedTest
    @MethodSource("streams")
    void theSameSeedGivesTheSameStream(Arrivals arrivals) {
        assertThat(times(arrivals, 7))
                .isEqualTo(times(arrivals, 7))
                .isNotEqualTo(times(arrivals, 8));
    }

    @Test
    void burstsAreMoreUnevenThanRain() {
        assertThat(unevenness(streams().get(0))).isBetween(0.8, 1.2);
        assertThat(unevenness(streams().get(1))).isGreaterThan(3);
    }

    @Test
    void moreComeByDayThanByNight() {
        int day = 0;
        int night = 0;
        for (Duration time : times(streams().get(2), 1)) {
            day += time.toHoursPart() >= 12 && time.toHoursPart() < 18 ? 1 : 0;
            night += time.toHoursPart() < 6 ? 1 : 0;
        }
        assertThat(day).isGreaterThan(5 * night);
    }

    @Test
    void aHeavyTailHoldsMostOfTheTime() {
        var lengths =
                new RuntimeDistribution.HeavyTailed(
                        Duration.ofMinutes(10), 1.1, Duration.ofDays(7));
        var seededRandom = new SeededRandom(1);
        var drawn = new ArrayList<Long>();
        for (int i = 0; i < MANY; i++) {
            drawn.add(lengths.draw(seededRandom).toSeconds());
        }
        drawn.sort(null);
        long all = drawn.stream().mapToLong(each -> each).sum();
        long longest = drawn.subList(MANY * 9 / 10, MANY).stream().mapToLong(each -> each).sum();
        assertThat(drawn.get(MANY / 2)).isBetween(580L, 620L);
        assertThat(drawn.getLast()).isLessThanOrEqualTo(Duration.ofDays(7).toSeconds() + 1);
        assertThat(longest).isGreaterThan(all / 2);
    }

    @Test
    void filesMayAskForEachOfThem() {
        var read =
                (GeneratedWorkload)
                        ScenarioFile.parse(
                                        "test",
                                        """
                                        cluster: [{name: n, count: 1, gpus: 4xA100}]
                                        workload:
                                          - {arrivals: bursty, mean_gap: 2m, burst_factor: 5, burst_share: 0.2, burst_length: 10m, lengths: heavy-tailed, runs: 5m, tail: 1.5, longest: 1d}
                                          - {arrivals: diurnal, swing: 0.5}
                                        """)
                                .workloads()
                                .getFirst();
        assertThat(read.arrivals())
                .isEqualTo(
                        new Arrivals.Bursty(Duration.ofMinutes(2), 5, 0.2, Duration.ofMinutes(10)));
        assertThat(read.runtimeDistribution())
                .isEqualTo(
                        new RuntimeDistribution.HeavyTailed(
                                Duration.ofMinutes(5), 1.5, Duration.ofDays(1)));
        assertThatThrownBy(
                        () ->
                                ScenarioFile.parse(
                                        "test",
                                        "cluster: [{name: n, count: 1, gpus: 4xA100}]\n"
                                                + "workload: [{arrivals: tides}]"))
                .hasMessageContaining("poisson, bursty, diurnal")
                .hasMessageContaining("tides");
    }

    /// The variance of how many come in ten minutes, over their mean: 1 for rain.
    private static double unevenness(Arrivals arrivals) {
        List<Duration> times = times(arrivals, 1);
        var counts = new int[(int) (times.getLast().toMinutes() / 10) + 1];
        times.forEach(time -> counts[(int) (time.toMinutes() / 10)]++);
        double mean = (double) MANY / counts.length;
        double squares = 0;
        for (int count : counts) {
            squares += (count - mean) * (count - mean);
        }
        return squares / counts.length / mean;
    }

    private static List<Duration> times(Arrivals arrivals, long seed) {
        var seededRandom = new SeededRandom(seed);
        Arrivals.Times stream = arrivals.from(Duration.ZERO);
        var times = new ArrayList<Duration>();
        for (int i = 0; i < MANY; i++) {
            times.add(stream.next(seededRandom));
        }
        return times;
    }
}
