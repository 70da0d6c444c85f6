package io.gpusched.core.spot;

/// What was seen of one spot market: whether it has capacity, since when, and whether its outages
/// and its supply used to end sooner or later than usual. It needs no more memory the longer it
/// watches.
///
/// @param available whether spot capacity can be had
/// @param since when that began, in milliseconds
/// @param outages what was seen of times without capacity
/// @param supplies what was seen of times with capacity
public record SpotHistory(boolean available, long since, Seen outages, Seen supplies) {
    /// How many ends it takes until what was seen counts as much as the usual pace.
    private static final double WEIGHT = 10;
    private static final double GRID = 2;

    /// @param ended how many such times ended
    /// @param expected how many would have ended at the usual pace
    public record Seen(long ended, double expected) {
        public static final Seen NOTHING = new Seen(0, 0);

        private Seen plus(long units) {
            return new Seen(ended + 1, expected + AvailabilityModel.expectedEnds(units));
        }

        /// The pace in half powers of two, so that few tables of expected costs serve all jobs. A
        /// market that was seen for a short time has the usual pace.
        int halvings(long openUnits) {
            double pace =
                    (ended + WEIGHT)
                            / (expected + AvailabilityModel.expectedEnds(openUnits) + WEIGHT);
            return (int) StrictMath.rint(GRID * StrictMath.log(pace) / StrictMath.log(2));
        }
    }

    /// A market that is seen for the first time.
    public static SpotHistory begin(long now, boolean available) {
        return new SpotHistory(available, now, Seen.NOTHING, Seen.NOTHING);
    }

    /// The same market later.
    public SpotHistory seen(long now, boolean has) {
        if (has == available) {
            return this;
        }
        long units = Math.max(1, (now - since) / AvailabilityModel.UNIT);
        return available
                ? new SpotHistory(false, now, outages, supplies.plus(units))
                : new SpotHistory(true, now, outages.plus(units), supplies);
    }

    /// The same market after a time in which nobody watched it: how long that state lasted is not
    /// known.
    public SpotHistory resume(long now, boolean has) {
        return new SpotHistory(has, now, outages, supplies);
    }

    /// For how long the market has been as it is.
    public long age(long now) {
        return Math.max(0, now - since);
    }

    int outageHalvings(long now) {
        return outages.halvings(available ? 0 : age(now) / AvailabilityModel.UNIT);
    }

    int supplyHalvings(long now) {
        return supplies.halvings(available ? age(now) / AvailabilityModel.UNIT : 0);
    }

    static double pace(int halvings) {
        return StrictMath.pow(2, halvings / GRID);
    }
}
