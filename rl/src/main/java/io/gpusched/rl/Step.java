package io.gpusched.rl;

/// The result of an action.
///
/// @param terminated whether every job has ended
/// @param truncated whether time or steps ran out before that
/// @param invalid whether the action could not be carried out and counted as waiting
/// @param terminal the part of the reward that is given for how the episode ended
public record Step(
        double reward, boolean terminated, boolean truncated, boolean invalid, double terminal) {
    public boolean isLast() {
        return terminated || truncated;
    }
}
