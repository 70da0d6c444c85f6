package io.gpusched.sim.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.sim.scenario.Arrival;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/// Against workloads of the original benchmark.
final class BenchmarkWorkloadTest {
    @ParameterizedTest
    @CsvSource({
        "2000001, 373058.2953033447, 1143, 2918, 1551761.7589874268, 10000.0, 56.275657653808594",
        "2000002, 335682.3388366699, 1089, 2969, 1241560.7931747437, 10000.0, 28.585634231567383",
        "12000001, 362216.54486083984, 1112, 2991, 1434474.4674987793, 9949.1552734375,"
                + " 202.09381103515625"
    })
    void anEpisodeIsTheOriginalOne(
            long seed,
            double seconds,
            int gpus,
            int priorities,
            double work,
            double last,
            double first) {
        BenchmarkJobs jobs = BenchmarkWorkload.USUAL.draw(new RandomStream(seed));
        double allSeconds = 0;
        int allGpus = 0;
        int allPriorities = 0;
        double earliest = Double.MAX_VALUE;
        for (int i = 0; i < jobs.size(); i++) {
            allSeconds += jobs.seconds(i);
            allGpus += jobs.gpus(i);
            allPriorities += jobs.priority(i);
            earliest = Math.min(earliest, jobs.arrival(i));
        }
        assertThat(allSeconds).isEqualTo(seconds);
        assertThat(allGpus).isEqualTo(gpus);
        assertThat(allPriorities).isEqualTo(priorities);
        assertThat(jobs.totalWork()).isEqualTo(work);
        assertThat(jobs.lastArrival()).isEqualTo(last);
        assertThat(earliest).isEqualTo(first);
    }

    @Test
    void theFirstJobIsTheOriginalOne() {
        BenchmarkJobs jobs = BenchmarkWorkload.USUAL.draw(new RandomStream(2_000_001));
        assertThat(jobs.seconds(3)).isEqualTo(764.36487f);
        assertThat(jobs.gpus(3)).isEqualTo(4);
        assertThat(jobs.priority(3)).isEqualTo(9);
        assertThat(jobs.arrival(3)).isEqualTo(3673.3281f);
    }

    @Test
    void jobsMayAllComeAtTheBeginning() {
        var workload =
                new BenchmarkWorkload(20, 4, 100, BenchmarkWorkload.Spacing.ALL_AT_ZERO, 100);
        BenchmarkJobs jobs = workload.draw(new RandomStream(1));
        for (int i = 0; i < jobs.size(); i++) {
            assertThat(jobs.arrival(i)).isZero();
            assertThat(jobs.gpus(i)).isBetween(1, 4);
            assertThat(jobs.seconds(i)).isBetween(1f, 100f);
        }
    }

    @Test
    void aSimulationGetsThemByTimeOfArrival() {
        Scenario scenario =
                ScenarioFile.parse(
                        "benchmark",
                        """
                        cluster: [{name: n, gpus: 8xA100}]
                        workload: [{benchmark: {}}, {benchmark: {count: 3, gpus: 2, longest: 100s, span: 1m}}]
                        """);
        assertThat(scenario.arrivals(7)).hasSize(403);
        List<Arrival> arrivals = scenario.workloads().getFirst().draw(2_000_001, 0);
        assertThat(arrivals.stream().mapToLong(each -> each.spec().milliGpus() / 1000).sum())
                .isEqualTo(1143);
        assertThat(arrivals).hasSize(400);
        assertThat(arrivals.stream().map(Arrival::at)).isSorted();
        assertThat(arrivals)
                .allMatch(each -> each.hiddenTruth().runs().compareTo(each.spec().limit()) < 0);
    }
}
