package io.gpusched.core.learn;

/// What is done with the run times of the scheduler's own jobs.
///
/// @param learns whether they are learned
/// @param plans whether what was learned is expected of new jobs, and planned with
/// @param planned the part of runs that end within the time that is planned for them
public record Predictions(boolean learns, boolean plans, double planned) {
    /// Nineteen of twenty runs end within what is planned for them. Less packs a little tighter and
    /// keeps promises to those who have a reservation less surely; more leaves gaps to those who
    /// know their limits.
    public static final double PLANNED = 0.95;

    /// Nothing is learned, and nothing expected.
    public static final Predictions NONE = new Predictions(false, false, PLANNED);

    /// Run times are learned and planned with.
    public static final Predictions USED = new Predictions(true, true, PLANNED);

    /// The same, learning in any case.
    public Predictions learning() {
        return new Predictions(true, plans, planned);
    }
}
