package io.gpusched.core.spot;

import io.gpusched.core.model.Check;

/// What an hour costs in the two markets. Only their ratio decides.
public record SpotPrices(long spotMicroDollarsPerHour, long onDemandMicroDollarsPerHour) {
    public SpotPrices {
        Check.that(
                spotMicroDollarsPerHour >= 0 && onDemandMicroDollarsPerHour > 0,
                "prices must not be negative: %s, %s",
                spotMicroDollarsPerHour,
                onDemandMicroDollarsPerHour);
    }

    /// Spot capacity is worth waiting for only while it is cheaper.
    boolean isSpotCheaper() {
        return spotMicroDollarsPerHour < onDemandMicroDollarsPerHour;
    }

    /// The price of an hour on spot capacity, in hours on demand.
    double ratio() {
        return (double) spotMicroDollarsPerHour / onDemandMicroDollarsPerHour;
    }
}
