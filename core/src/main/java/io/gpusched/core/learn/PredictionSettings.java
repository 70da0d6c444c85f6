package io.gpusched.core.learn;

/// Settings of how the scheduler learns and uses runtimes of its own jobs.
///
/// @param learns whether runtimes are learned
/// @param plans whether new jobs get a learned expectation, which plans then use
/// @param planned the fraction of runs that end within the time planned for them
/// @param asNeeded whether a policy that depends on expected runtimes turns both on
public record PredictionSettings(boolean learns, boolean plans, double planned, boolean asNeeded) {
    /// Nineteen of twenty runs end within the time planned for them. A smaller fraction packs a
    /// little tighter but delays reservations more often; a larger one leaves more gaps for jobs
    /// with known limits.
    public static final double PLANNED = 0.95;

    /// Nothing is learned or expected, under any policy.
    public static final PredictionSettings NONE = new PredictionSettings(false, false, PLANNED);

    /// Runtimes are learned and planned with only where the policy depends on them.
    public static final PredictionSettings AS_NEEDED =
            new PredictionSettings(false, false, PLANNED, true);

    /// Runtimes are learned and planned with.
    public static final PredictionSettings USED = new PredictionSettings(true, true, PLANNED, true);

    /// Exactly these settings, under any policy.
    public PredictionSettings(boolean learns, boolean plans, double planned) {
        this(learns, plans, planned, false);
    }

    /// The same, but always learning.
    public PredictionSettings learning() {
        return new PredictionSettings(true, plans, planned, asNeeded);
    }

    /// The settings under a policy that depends on expected runtimes.
    public PredictionSettings needed() {
        return asNeeded ? new PredictionSettings(true, true, planned, true) : this;
    }
}
