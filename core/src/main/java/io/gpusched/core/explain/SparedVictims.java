package io.gpusched.core.explain;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.policy.PreemptionVerdict;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RefusalCount;
import io.gpusched.core.policy.RetryCondition;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Explains why running jobs of lower rank that hold what a waiting job needs are not preempted for
/// it: one reason for each [PreemptionVerdict]. Used only if the preemptor finds no victims.
///
/// It looks at every running job once, like [HolderSearch].
final class SparedVictims {
    private static final class Sum {
        int jobs;
        long milliGpus;
        long milliCpu;

        /// When the first of them may be preempted if only time passes; null if that is not known.
        @Nullable Instant until;
    }

    private static final RemainingShortage NO_SHORTAGE =
            new RemainingShortage("", false, List.of());

    private final Hypothesis hypothesis;
    private final Job job;

    SparedVictims(Hypothesis hypothesis, Job job) {
        this.hypothesis = hypothesis;
        this.job = job;
    }

    /// The reasons in the order of [PreemptionVerdict]; none if no running job is of lower rank.
    List<RefusalCount> reasons() {
        Preemptor preemptor = hypothesis.policy.preemptor();
        Map<PreemptionVerdict, Sum> sums = new EnumMap<>(PreemptionVerdict.class);
        for (HeldCapacity held :
                new HolderSearch(hypothesis.state, hypothesis.nodeSearch, job).running()) {
            Job other = Objects.requireNonNull(hypothesis.state.job(held.job()));
            PreemptionVerdict preemptionVerdict = stay(other);
            if (preemptionVerdict != PreemptionVerdict.NOT_BELOW) {
                Sum sum = sums.computeIfAbsent(preemptionVerdict, one -> new Sum());
                sum.jobs++;
                sum.milliGpus += held.milliGpus();
                sum.milliCpu += held.milliCpu();
                sum.until =
                        earliest(
                                sum.until,
                                preemptionVerdict == PreemptionVerdict.EARNED
                                        ? fades(other)
                                        : null);
            }
        }
        var reasons = new ArrayList<RefusalCount>();
        sums.forEach(
                (preemptionVerdict, sum) -> {
                    RemainingShortage shortage =
                            preemptionVerdict == PreemptionVerdict.LEAVES
                                    ? shortage()
                                    : NO_SHORTAGE;
                    Refusal refusal = refusal(preemptionVerdict, sum, preemptor, shortage);
                    reasons.add(new RefusalCount(refusal, 0, List.of(), shortage.reservedFor()));
                });
        return reasons;
    }

    /// What the job would lack even if every job that may be preempted for it were stopped, also
    /// those that hold cores and memory only.
    private RemainingShortage shortage() {
        var victims = new ArrayList<Job>();
        var stopping = new ArrayList<Job>();
        for (Job other : hypothesis.state.runs().byExpectedEnd()) {
            PreemptionVerdict preemptionVerdict = stay(other);
            if (preemptionVerdict == PreemptionVerdict.LEAVES) {
                victims.add(other);
            } else if (preemptionVerdict == PreemptionVerdict.STOPPING) {
                stopping.add(other);
            }
        }
        return RemainingShortage.after(victims, stopping, hypothesis, job);
    }

    /// The verdict on a running job. A job that is being stopped releases its GPUs anyway.
    private PreemptionVerdict stay(Job other) {
        Preemptor preemptor = hypothesis.policy.preemptor();
        PreemptionVerdict preemptionVerdict =
                preemptor.stay(other, job, hypothesis.state, hypothesis.now);
        return preemptionVerdict != PreemptionVerdict.NOT_BELOW
                        && other.phase() instanceof Phase.Stopping
                ? PreemptionVerdict.STOPPING
                : preemptionVerdict;
    }

    /// When the priority that the running job earned by waiting has faded; null if never.
    private @Nullable Instant fades(Job other) {
        return hypothesis.policy.preemptor().leavesAt(other, job, hypothesis.now);
    }

    private static @Nullable Instant earliest(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.isBefore(other) ? one : other;
    }

    private Refusal refusal(
            PreemptionVerdict preemptionVerdict,
            Sum sum,
            Preemptor preemptor,
            RemainingShortage shortage) {
        String why =
                Plurals.of(sum.jobs, "job")
                        + " "
                        + preemptor.lesser()
                        + (sum.jobs == 1 ? " holds " : " hold ")
                        + held(sum)
                        + ", but "
                        + preemptionVerdict.words(sum.jobs)
                        + (shortage.words().isEmpty() ? "" : ": " + shortage.words());
        List<RetryCondition> lifts = preemptionVerdict.liftedBy();
        if (sum.until != null) {
            lifts = List.of(new RetryCondition.At(sum.until));
        } else if (shortage.hot()) {
            lifts = List.of(new RetryCondition.Cooled());
        }
        return new Refusal("preemption", why, lifts);
    }

    private String held(Sum sum) {
        return job.spec().milliGpus() > 0
                ? Plurals.milli(sum.milliGpus, "GPU")
                : Plurals.milli(sum.milliCpu, "CPU core");
    }
}
