package io.gpusched.sim;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.sim.scenario.HiddenTruth;
import io.gpusched.sim.scenario.SeededRandom;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// The hidden truth that policies must guess: how long each job really runs and how it ends.
///
/// A job that the scenario describes behaves as described; any other is drawn from the seed and the
/// job's number, so that it behaves alike under every policy.
public final class World {
    private final long seed;
    private final Map<JobId, HiddenTruth> truths = new HashMap<>();
    private final Map<JobId, Duration> saved = new HashMap<>();

    public World(long seed) {
        this.seed = seed;
    }

    /// Says what a job that has been submitted will do.
    void expect(JobId job, HiddenTruth hiddenTruth) {
        truths.put(job, hiddenTruth);
    }

    public HiddenTruth truth(JobId job, JobSpec spec) {
        return truths.computeIfAbsent(
                job,
                id -> HiddenTruth.draw(SeededRandom.of(seed, "truth", id.number()), spec.limit()));
    }

    /// How long the next run would take: less than a whole one if earlier runs saved their work.
    Duration left(JobId job, JobSpec spec) {
        return truth(job, spec).runs().minus(saved.getOrDefault(job, Duration.ZERO));
    }

    /// A run was interrupted; the job will go on from what it had saved.
    void save(JobId job, Duration kept) {
        saved.merge(job, kept, Duration::plus);
    }

    /// The job is over; nobody will ask about it again.
    void forget(JobId job) {
        truths.remove(job);
        saved.remove(job);
    }

    /// Which task of a gang that fails is the one to fail.
    int failingRank(JobId job, int tasks) {
        return SeededRandom.of(seed, "failing-rank", job.number()).below(tasks);
    }
}
