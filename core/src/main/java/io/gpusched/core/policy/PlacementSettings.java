package io.gpusched.core.policy;

/// What people may set about where tasks are placed.
///
/// @param placer the name of the way to choose a place
/// @param weights of the five terms, for the placer that has them
/// @param mostScored nodes scored for a task at most; 0 leaves it to the placer
public record PlacementSettings(String placer, ScoreWeights weights, int mostScored) {
    public static final PlacementSettings DEFAULT =
            new PlacementSettings("best-fit", ScoreWeights.DEFAULT, 0);

    public PlacementSettings withPlacer(String other) {
        return new PlacementSettings(other, weights, mostScored);
    }
}
