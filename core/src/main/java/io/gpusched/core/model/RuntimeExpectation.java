package io.gpusched.core.model;

import java.time.Duration;

/// How long a job was expected to run when it was submitted. It is recorded with the job: what the
/// model learns later affects later jobs, not the decisions about this one.
///
/// Both times are rounded to steps of a twelfth of an octave, so that jobs with nearly the same
/// expectation are equal in everything that placement depends on.
///
/// @param usual the median: a shorter and a longer runtime are equally likely
/// @param most the runtime that plans use; seldom exceeded
public record RuntimeExpectation(Duration usual, Duration most) {
    /// No expectation.
    public static final RuntimeExpectation NOTHING =
            new RuntimeExpectation(Duration.ZERO, Duration.ZERO);

    private static final double STEPS_PER_OCTAVE = 12;
    private static final double LN_2 = 0.693_147_180_559_945_3;

    public RuntimeExpectation {
        Check.that(
                !usual.isNegative() && usual.compareTo(most) <= 0,
                "the usual time %s is at most the longest %s",
                usual,
                most);
    }

    /// An expectation of these seconds, rounded up to the next step; at least one second.
    public static RuntimeExpectation seconds(double usual, double most) {
        Duration longest = rounded(Math.max(usual, most));
        return new RuntimeExpectation(rounded(usual), longest);
    }

    private static Duration rounded(double seconds) {
        double clamped = Math.clamp(seconds, 1, 10 * 366 * 86_400.0);
        double steps = Math.ceil(StrictMath.log(clamped) / LN_2 * STEPS_PER_OCTAVE - 1e-9);
        return Duration.ofMillis(
                Math.round(1000 * StrictMath.exp(steps / STEPS_PER_OCTAVE * LN_2)));
    }

    public boolean isKnown() {
        return !most.isZero();
    }
}
