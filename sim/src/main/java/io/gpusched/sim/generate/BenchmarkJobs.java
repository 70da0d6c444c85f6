package io.gpusched.sim.generate;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;

import java.time.Duration;
import java.util.List;

/// The jobs of one episode of the learning benchmark, by number.
public final class BenchmarkJobs {
    private static final Duration SLACK = Duration.ofMinutes(1);

    private final float[] seconds;
    private final int[] gpus;
    private final int[] priorities;
    private final float[] arrivals;

    BenchmarkJobs(float[] seconds, int[] gpus, int[] priorities, float[] arrivals) {
        Check.that(
                seconds.length == gpus.length
                        && gpus.length == priorities.length
                        && priorities.length == arrivals.length,
                "every job has all of its numbers");
        this.seconds = seconds;
        this.gpus = gpus;
        this.priorities = priorities;
        this.arrivals = arrivals;
    }

    public int size() {
        return seconds.length;
    }

    /// How long it runs.
    public float seconds(int job) {
        return seconds[job];
    }

    public int gpus(int job) {
        return gpus[job];
    }

    public int priority(int job) {
        return priorities[job];
    }

    /// When it comes, in seconds from the beginning.
    public float arrival(int job) {
        return arrivals[job];
    }

    /// What it takes in GPU seconds.
    public double work(int job) {
        return (double) seconds[job] * gpus[job];
    }

    public double totalWork() {
        var each = new double[size()];
        for (int i = 0; i < each.length; i++) {
            each[i] = work(i);
        }
        return PairwiseSum.of(each);
    }

    public double lastArrival() {
        double last = 0;
        for (float arrival : arrivals) {
            last = Math.max(last, arrival);
        }
        return last;
    }

    /// The job as it is submitted. Its time limit is a minute more than it runs: schedulers that go
    /// by limits know the order of lengths, and no job ever reaches its limit.
    public JobSpec spec(int job) {
        return JobSpec.builder(Tenant.DEFAULT, roles(gpus[job]))
                .name("benchmark")
                .priority(priorities[job])
                .kind("benchmark")
                .limit(time(seconds[job]).plus(SLACK))
                .build();
    }

    private static List<Role> roles(int gpus) {
        Shape shape = Shape.of(GpuRequest.whole(gpus, 0), Resources.NONE);
        return List.of(Role.of(shape, 1));
    }

    /// To the microsecond, which is finer than single precision.
    public static Duration time(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e6) * 1000);
    }
}
