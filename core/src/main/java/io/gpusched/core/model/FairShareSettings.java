package io.gpusched.core.model;

import java.time.Duration;

/// What people may set about sharing over time.
///
/// @param halfLife after this long, what somebody used counts half
/// @param adjusts whether weights follow what tenants really used, within [#LEAST] and [#MOST]
public record FairShareSettings(Duration halfLife, boolean adjusts) {
    /// The smallest and the largest part of its weight that a tenant can be adjusted to.
    public static final double LEAST = 0.5;

    public static final double MOST = 2;

    public static final FairShareSettings DEFAULT =
            new FairShareSettings(Duration.ofDays(7), false);

    public FairShareSettings {
        Check.that(halfLife.toMillis() > 0, "a half-life is at least a millisecond: %s", halfLife);
    }
}
