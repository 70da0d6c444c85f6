package io.gpusched.core.learn;

/// What is done with the run times of the scheduler's own jobs.
///
/// @param learns whether they are learned
/// @param plans whether what was learned is expected of new jobs, and planned with
/// @param planned the part of runs that end within the time that is planned for them
public record Predictions(boolean learns, boolean plans, double planned) {
    /// Nothing is learned, and nothing expected.
    public static final Predictions NONE = new Predictions(false, false, 0.8);

    /// Run times are learned and planned with.
    public static final Predictions USED = new Predictions(true, true, 0.8);

    /// The same, learning in any case.
    public Predictions learning() {
        return new Predictions(true, plans, planned);
    }
}
