package io.gpusched.rl;

/// What a player sees: some numbers for each place of a window of waiting jobs, and perhaps more
/// behind them. Places without a job are zero.
public interface Observed {
    /// The numbers themselves, for networks. Not a copy; the next step overwrites them.
    float[] numbers();

    /// The number of places.
    int window();

    /// How many numbers each place has.
    int perJob();

    /// How many places hold a job; they are the first ones.
    int jobs();

    /// Whether the job in this place, counted from 0, could start now.
    boolean isFeasible(int place);
}
