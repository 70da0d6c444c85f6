package io.gpusched.sim.whatif;

/// How much longer jobs wait and take under the shadow policy than under the policy in force, for
/// each job the shadow's value minus the live value.
///
/// @param waiting from submission to the first start, in seconds
/// @param completion from submission to the end, in seconds
/// @param slowdown completion time divided by run time, where a run counts as 10 s at least
public record PairedDifferences(
        MeanInterval waiting, MeanInterval completion, MeanInterval slowdown) {
    /// What a policy is judged by.
    public enum Objective {
        WAIT,
        COMPLETION,
        SLOWDOWN
    }

    public MeanInterval of(Objective objective) {
        return switch (objective) {
            case WAIT -> waiting;
            case COMPLETION -> completion;
            case SLOWDOWN -> slowdown;
        };
    }
}
