package io.gpusched.sim.whatif;

/// The mean of a difference, shadow minus live, with its 95 % confidence interval. A negative
/// difference means that the shadow policy is better.
///
/// @param jobs how many jobs were compared
/// @param mean over all of them; 0 if there are none
/// @param low the lower end of the interval; NaN while too few jobs were compared
/// @param high the upper end; NaN in the same case
public record MeanInterval(long jobs, double mean, double low, double high) {
    /// What an interval says about the shadow policy.
    public enum Verdict {
        /// The whole interval is below zero.
        BETTER,

        /// The whole interval is above zero.
        WORSE,

        /// The interval contains zero, or there is none yet.
        UNDECIDED
    }

    public Verdict verdict() {
        if (high < 0) {
            return Verdict.BETTER;
        }
        return low > 0 ? Verdict.WORSE : Verdict.UNDECIDED;
    }

    /// Whether enough jobs were compared for an interval.
    public boolean isKnown() {
        return !Double.isNaN(low);
    }
}
