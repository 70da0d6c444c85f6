package io.gpusched.sim;

import io.gpusched.core.model.JobDeadline;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.sim.scenario.HiddenTruth;
import io.gpusched.sim.scenario.SeededRandom;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// The true behaviour of jobs, which policies must guess: how long each job runs and how it ends.
///
/// A job that the scenario describes behaves as described. Any other is drawn from the seed and the
/// job's number, so that it behaves the same under every policy.
public final class World {
    private final long seed;
    private final Map<JobId, HiddenTruth> truths = new HashMap<>();
    private final Map<JobId, Duration> saved = new HashMap<>();

    public World(long seed) {
        this.seed = seed;
    }

    /// Sets the behaviour of a submitted job.
    void expect(JobId job, HiddenTruth hiddenTruth) {
        truths.put(job, hiddenTruth);
    }

    public HiddenTruth truth(JobId job, JobSpec spec) {
        return truths.computeIfAbsent(job, id -> drawn(id, spec));
    }

    /// Most replicas run until they are stopped; some crash.
    private HiddenTruth drawn(JobId job, JobSpec spec) {
        var random = SeededRandom.of(seed, "truth", job.number());
        return spec.isReplica() && random.chance(0.8)
                ? HiddenTruth.succeedsAfter(JobSpec.WITHOUT_END)
                : HiddenTruth.draw(random, spec.limit());
    }

    /// The length of the next run: shorter if earlier runs saved their work. A job with a deadline
    /// loses what its start costs.
    Duration left(JobId job, JobSpec spec) {
        Duration left = truth(job, spec).runs().minus(saved.getOrDefault(job, Duration.ZERO));
        JobDeadline deadline = spec.deadline();
        return deadline == null ? left : left.plus(deadline.restartOrUsual());
    }

    /// A run was interrupted; the job will resume from its saved work.
    void save(JobId job, Duration kept) {
        saved.merge(job, kept, Duration::plus);
    }

    /// The job has ended; its behaviour is not needed any more.
    void forget(JobId job) {
        truths.remove(job);
        saved.remove(job);
    }

    /// The task that fails, in a gang that fails.
    int failingRank(JobId job, int tasks) {
        return SeededRandom.of(seed, "failing-rank", job.number()).below(tasks);
    }
}
