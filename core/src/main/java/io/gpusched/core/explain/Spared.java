package io.gpusched.core.explain;

import io.gpusched.core.model.Counted;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;
import io.gpusched.core.policy.Lift;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.Reason;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.Stay;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Says why jobs that count for less than a waiting one, and have what it needs, are not stopped
/// for it: one reason for each way to stay. Asked only when it is known that nobody leaves.
///
/// One look at every running job, like [Holders].
final class Spared {
    private static final class Sum {
        int jobs;
        long milliGpus;
        long milliCpu;

        /// When the first of them leaves if only time passes; null when that is not known.
        @Nullable Instant until;
    }

    private final Hypothesis hypothesis;
    private final Job job;

    Spared(Hypothesis hypothesis, Job job) {
        this.hypothesis = hypothesis;
        this.job = job;
    }

    /// In the order of [Stay], and none where nobody counts for less.
    List<Reason> reasons() {
        Preemptor preemptor = hypothesis.policy.preemptor();
        Map<Stay, Sum> sums = new EnumMap<>(Stay.class);
        for (Holding held : new Holders(hypothesis.state, hypothesis.search, job).running()) {
            Job other = Objects.requireNonNull(hypothesis.state.job(held.job()));
            Stay stay = stay(other);
            if (stay != Stay.NOT_BELOW) {
                Sum sum = sums.computeIfAbsent(stay, one -> new Sum());
                sum.jobs++;
                sum.milliGpus += held.milliGpus();
                sum.milliCpu += held.milliCpu();
                sum.until = earliest(sum.until, stay == Stay.EARNED ? fades(other) : null);
            }
        }
        var reasons = new ArrayList<Reason>();
        sums.forEach((stay, sum) -> reasons.add(new Reason(refusal(stay, sum, preemptor), 0)));
        return reasons;
    }

    /// Whatever else speaks for it, one that is being stopped makes room.
    private Stay stay(Job other) {
        Preemptor preemptor = hypothesis.policy.preemptor();
        Stay stay = preemptor.stay(other, job, hypothesis.state, hypothesis.now);
        return stay != Stay.NOT_BELOW && other.phase() instanceof Phase.Stopping
                ? Stay.STOPPING
                : stay;
    }

    /// What is earned by waiting fades, and it is known when.
    private @Nullable Instant fades(Job other) {
        return hypothesis.policy.preemptor().leavesAt(other, job, hypothesis.now);
    }

    private static @Nullable Instant earliest(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.isBefore(other) ? one : other;
    }

    private Refusal refusal(Stay stay, Sum sum, Preemptor preemptor) {
        String why =
                Counted.of(sum.jobs, "job")
                        + " "
                        + preemptor.lesser()
                        + (sum.jobs == 1 ? " holds " : " hold ")
                        + held(sum)
                        + ", but "
                        + stay.words(sum.jobs);
        List<Lift> lifts = sum.until == null ? stay.liftedBy() : List.of(new Lift.At(sum.until));
        return new Refusal("preemption", why, lifts);
    }

    private String held(Sum sum) {
        return job.spec().milliGpus() > 0
                ? Counted.milli(sum.milliGpus, "GPU")
                : Counted.milli(sum.milliCpu, "CPU core");
    }
}
