package io.gpusched.core.engine;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.JobDeadline;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.spot.DeadlineRule;
import io.gpusched.core.state.NodePrices;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Checks the deadline of a submitted job.
final class DeadlineCheck {
    private DeadlineCheck() {}

    /// Why the job cannot have the deadline that it names; null if it can, or names none.
    static @Nullable Problem problem(JobSpec spec, Instant now) {
        JobDeadline deadline = spec.deadline();
        if (deadline == null) {
            return null;
        }
        if (spec.isReplica()) {
            return problem("deadline", "a replica of a pool never ends", "leave the deadline out");
        }
        if (!spec.onLoss().requeue()) {
            return problem(
                    "deadline",
                    "a job with a deadline may be stopped and started elsewhere, but this one is"
                            + " not queued again",
                    "leave the deadline out, or let the job be queued again");
        }
        if (!spec.onLoss().checkpoints() && deadline.restart().isZero()) {
            return problem(
                    "restart_seconds",
                    "a job with a deadline may be stopped and started again, and it is not known"
                            + " how much work that loses",
                    "set restart_seconds, or checkpoint_enabled if the job saves its work");
        }
        Instant due = deadline.of(now);
        if (!due.isAfter(now)) {
            return problem(
                    "deadline",
                    "expected an instant in the future, found " + due + "; it is " + now,
                    "name a later instant, or a time from now such as 52h");
        }
        return spec.work().isZero()
                ? problem(
                        "work_seconds",
                        "it is not known how long the job must run: it names neither its work nor"
                                + " a time limit, and jobs of its kind are not known",
                        "set work_seconds or max_runtime_seconds")
                : null;
    }

    /// A job that cannot be finished in time may still be worth having: it is accepted.
    static List<String> warnings(JobSpec spec, Instant now, NodePrices prices) {
        var warnings = new ArrayList<String>();
        JobDeadline deadline = spec.deadline();
        if (deadline == null) {
            return warnings;
        }
        Duration left = Duration.between(now, deadline.of(now));
        Duration needed = spec.work().plus(deadline.restartOrUsual());
        if (needed.compareTo(left) > 0) {
            warnings.add(
                    "the deadline will be missed: the work and one start take "
                            + DeadlineRule.text(needed.toMillis())
                            + ", and there are "
                            + DeadlineRule.text(left.toMillis())
                            + " left; the job runs on demand");
        }
        boolean spot = prices.all().stream().anyMatch(market -> market.spot());
        boolean onDemand = prices.all().stream().anyMatch(market -> !market.spot());
        if (!spot || !onDemand) {
            warnings.add(
                    "no price of "
                            + (spot ? "capacity on demand" : "spot capacity")
                            + " is known, so the job runs on demand; set prices with gpu-cli set"
                            + "-price");
        }
        return warnings;
    }

    private static Problem problem(String field, String message, String hint) {
        return new Problem(Problem.Code.INVALID, field, message, hint);
    }
}
