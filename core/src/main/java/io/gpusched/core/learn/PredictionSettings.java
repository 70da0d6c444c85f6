package io.gpusched.core.learn;

/// What is done with the run times of the scheduler's own jobs.
///
/// @param learns whether they are learned
/// @param plans whether what was learned is expected of new jobs, and planned with
/// @param planned the part of runs that end within the time that is planned for them
/// @param asNeeded whether both are done in any case under a policy that goes by expected run times
public record PredictionSettings(boolean learns, boolean plans, double planned, boolean asNeeded) {
    /// Nineteen of twenty runs end within what is planned for them. Less packs a little tighter and
    /// keeps promises to those who have a reservation less surely; more leaves gaps to those who
    /// know their limits.
    public static final double PLANNED = 0.95;

    /// Nothing is learned and nothing expected, whatever the policy.
    public static final PredictionSettings NONE = new PredictionSettings(false, false, PLANNED);

    /// Run times are learned and planned with only where the policy goes by them.
    public static final PredictionSettings AS_NEEDED =
            new PredictionSettings(false, false, PLANNED, true);

    /// Run times are learned and planned with.
    public static final PredictionSettings USED = new PredictionSettings(true, true, PLANNED, true);

    /// This and nothing more, whatever the policy.
    public PredictionSettings(boolean learns, boolean plans, double planned) {
        this(learns, plans, planned, false);
    }

    /// The same, learning in any case.
    public PredictionSettings learning() {
        return new PredictionSettings(true, plans, planned, asNeeded);
    }

    /// The same under a policy that goes by expected run times.
    public PredictionSettings needed() {
        return asNeeded ? new PredictionSettings(true, true, planned, true) : this;
    }
}
