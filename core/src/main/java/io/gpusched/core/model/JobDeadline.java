package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// When a job must be finished, and what it takes. Such a job may be moved between spot capacity
/// and capacity on demand.
///
/// @param at the deadline; null if it is counted from the submission
/// @param within the time from the submission to the deadline; zero if `at` is given
/// @param work run time that the job needs, without starts; zero for the expected runtime
/// @param restart run time that every start costs: loading, and work since the last checkpoint;
///        zero for [#USUAL_RESTART]
public record JobDeadline(@Nullable Instant at, Duration within, Duration work, Duration restart) {
    /// What a start costs where the job does not say it.
    public static final Duration USUAL_RESTART = Duration.ofMinutes(6);

    public JobDeadline {
        Check.that(
                at == null ? !within.isNegative() && !within.isZero() : within.isZero(),
                "a deadline is an instant or a time from the submission, found %s besides",
                within);
        Check.that(!work.isNegative(), "work is not negative, found %s", work);
        Check.that(!restart.isNegative(), "a restart is not negative, found %s", restart);
    }

    /// The deadline of a job that was submitted then.
    public Instant of(Instant submitted) {
        return at == null ? submitted.plus(within) : at;
    }

    /// What a start costs.
    public Duration restartOrUsual() {
        return restart.isZero() ? USUAL_RESTART : restart;
    }
}
