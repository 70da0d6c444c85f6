package io.gpusched.rl.network;

/// Describes each action by a few numbers, for [ScoreNetwork], and the state for
/// [StateNetwork]. Another encoder needs other weights,
/// so a checkpoint names the encoder it was trained with.
public interface ActionEncoder {
    /// A name that changes whenever the numbers change.
    String version();

    /// How many numbers an observation has.
    int observed();

    /// How many actions there are; action 0 is the no-op.
    int actions();

    /// How many numbers describe one action.
    int features();

    /// How many numbers describe the state without an action.
    int stateFeatures();

    /// Writes one row of features of the state.
    ///
    /// @param at where the observation begins
    /// @param row the number of the row to write
    void encodeState(float[] observations, int at, float[] rows, int row);

    /// Writes one row of features for each allowed action, in the order of the actions.
    ///
    /// @param at where the observation begins
    /// @param allowedAt where its flags begin
    /// @param row the number of the first row to write
    void encode(
            float[] observations, int at, boolean[] allowed, int allowedAt, float[] rows, int row);
}
