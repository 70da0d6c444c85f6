package io.gpusched.core.spot;

/// The expected cost of all that is left of a job, in hours on demand, for each choice of the next
/// step. What cannot be done costs more than a hundred million hours.
public record ExpectedHours(double spot, double waiting, double onDemand) {
    private static final double IMPOSSIBLE = 1e8;

    /// In millionths of a dollar; -1 for what cannot be done.
    ///
    /// @param microDollarsPerHour the price on demand
    public long microDollars(SpotChoice choice, long microDollarsPerHour) {
        double hours =
                switch (choice) {
                    case SPOT -> spot;
                    case WAIT -> waiting;
                    case ON_DEMAND -> onDemand;
                };
        return hours >= IMPOSSIBLE ? -1 : (long) StrictMath.rint(hours * microDollarsPerHour);
    }
}
