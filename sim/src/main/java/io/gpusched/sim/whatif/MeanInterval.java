package io.gpusched.sim.whatif;

/// The mean of a difference, shadow minus live, with its 95 % confidence interval. A negative
/// difference means that the shadow policy is better.
///
/// @param jobs how many jobs were compared
/// @param mean over all of them; 0 if there are none
/// @param low the lower end of the interval; NaN while too few jobs were compared
/// @param high the upper end; NaN in the same case
public record MeanInterval(long jobs, double mean, double low, double high) {
    public ShadowVerdict verdict() {
        if (high < 0) {
            return ShadowVerdict.BETTER;
        }
        return low > 0 ? ShadowVerdict.WORSE : ShadowVerdict.UNDECIDED;
    }

    /// Whether enough jobs were compared for an interval.
    public boolean isKnown() {
        return !Double.isNaN(low);
    }
}
