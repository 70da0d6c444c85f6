package io.gpusched.core.explain;

import io.gpusched.core.model.Job;
import io.gpusched.core.place.Wanted;
import io.gpusched.core.policy.Lift;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.Reason;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.Stay;

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
            Stay stay = preemptor.stay(other, job, hypothesis.state, hypothesis.now);
            if (stay != Stay.NOT_BELOW) {
                Sum sum = sums.computeIfAbsent(stay, one -> new Sum());
                sum.jobs++;
                sum.milliGpus += held.milliGpus();
                sum.milliCpu += held.milliCpu();
            }
        }
        var reasons = new ArrayList<Reason>();
        sums.forEach((stay, sum) -> reasons.add(new Reason(refusal(stay, sum, preemptor), 0)));
        return reasons;
    }

    private Refusal refusal(Stay stay, Sum sum, Preemptor preemptor) {
        String why =
                Wanted.counted(sum.jobs, "job")
                        + " "
                        + preemptor.lesser()
                        + (sum.jobs == 1 ? " holds " : " hold ")
                        + held(sum)
                        + ", but "
                        + stay.words(sum.jobs);
        return new Refusal("preemption", why, liftedBy(stay, preemptor));
    }

    private String held(Sum sum) {
        return job.spec().milliGpus() > 0
                ? Wanted.milli(sum.milliGpus, "GPU")
                : Wanted.milli(sum.milliCpu, "CPU core");
    }

    /// What is earned by waiting fades, and it is known when.
    private List<Lift> liftedBy(Stay stay, Preemptor preemptor) {
        Instant next =
                stay == Stay.EARNED
                        ? preemptor.nextToLeave(job.priority(), hypothesis.state, hypothesis.now)
                        : null;
        return next == null ? stay.liftedBy() : List.of(new Lift.At(next));
    }
}
