package io.gpusched.core.model;

import java.time.Duration;

/// Settings of fair sharing over time.
///
/// @param halfLife after this long, past usage counts half
/// @param adjusts whether the scheduler adjusts weights to what tenants really used, within
///        [#LEAST] and [#MOST]
public record FairShareSettings(Duration halfLife, boolean adjusts) {
    /// The smallest and the largest factor by which a tenant's weight can be adjusted.
    public static final double LEAST = 0.5;

    public static final double MOST = 2;

    public static final FairShareSettings DEFAULT =
            new FairShareSettings(Duration.ofDays(7), false);

    public FairShareSettings {
        Check.that(halfLife.toMillis() > 0, "a half-life is at least a millisecond: %s", halfLife);
    }
}
