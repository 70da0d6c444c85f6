package io.gpusched.sim.scenario;

import io.gpusched.sim.generate.BenchmarkJobs;
import io.gpusched.sim.generate.BenchmarkWorkload;
import io.gpusched.sim.generate.RandomStream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The jobs of the learning benchmark: the same ones as in `lab evaluate` under the same seed.
public record Benchmark(BenchmarkWorkload workload) implements GeneratedJobs {
    @Override
    public int count() {
        return workload.jobs();
    }

    @Override
    public Benchmark withCount(int other) {
        return new Benchmark(
                new BenchmarkWorkload(
                        Math.max(1, other),
                        workload.clusterGpus(),
                        workload.longest(),
                        workload.coming(),
                        workload.span()));
    }

    @Override
    public List<Arrival> draw(long seed, int number) {
        BenchmarkJobs jobs = workload.draw(new RandomStream((seed + number) & 0xFFFF_FFFFL));
        var all = new ArrayList<Arrival>(jobs.size());
        for (int i = 0; i < jobs.size(); i++) {
            var hiddenTruth = HiddenTruth.succeedsAfter(BenchmarkJobs.time(jobs.seconds(i)));
            Duration at = BenchmarkJobs.time(jobs.arrival(i));
            all.add(new Arrival(at, jobs.spec(i), false, hiddenTruth));
        }
        all.sort(Comparator.comparing(Arrival::at));
        return all;
    }
}
