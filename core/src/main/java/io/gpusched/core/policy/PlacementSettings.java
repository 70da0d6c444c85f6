package io.gpusched.core.policy;

/// Settings of where tasks are placed.
///
/// @param placer the name of the placement strategy
/// @param weights of the five terms, for the strategy that has them
/// @param mostScored the most nodes scored for a task; 0 for the strategy's default
/// @param together whether the first jobs in the queue are assigned GPU models all at once, where
///        the strategy uses the learned model
public record PlacementSettings(
        String placer, ScoreWeights weights, int mostScored, boolean together) {
    public static final PlacementSettings DEFAULT =
            new PlacementSettings("best-fit", ScoreWeights.DEFAULT, 0, false);

    public PlacementSettings withPlacer(String other) {
        return new PlacementSettings(other, weights, mostScored, together);
    }

    public PlacementSettings placingTogether(boolean whether) {
        return new PlacementSettings(placer, weights, mostScored, whether);
    }
}
