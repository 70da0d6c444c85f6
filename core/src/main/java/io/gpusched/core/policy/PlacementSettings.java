package io.gpusched.core.policy;

/// What people may set about where tasks are placed.
///
/// @param placer the name of the way to choose a place
/// @param weights of the five terms, for the placer that has them
/// @param mostScored nodes scored for a task at most; 0 leaves it to the placer
/// @param together whether the first in line are given GPU models all at once, where the placer
///        goes by what was learned
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
