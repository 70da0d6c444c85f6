package io.gpusched.sim.whatif;

/// What the interval of a difference says about the shadow policy.
public enum ShadowVerdict {
    /// The whole interval is below zero.
    BETTER,

    /// The whole interval is above zero.
    WORSE,

    /// The interval contains zero, or there is none yet.
    UNDECIDED
}
