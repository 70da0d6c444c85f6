package io.gpusched.core.policy;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A refusal and the number of nodes it holds for; 0 nodes when it is about the job itself.
public record Reason(Refusal refusal, int nodes) {
    /// The one to tell where only one is told: what is about the job itself, else what nodes say
    /// that could take it some day, else what most nodes say. Null where there is none.
    ///
    /// @param reasons the most frequent first
    public static @Nullable Reason main(List<Reason> reasons) {
        for (Reason reason : reasons) {
            boolean passes =
                    reason.refusal.liftedBy().stream().anyMatch(Lift.Capacity.class::isInstance);
            if (reason.nodes == 0 || passes) {
                return reason;
            }
        }
        return reasons.isEmpty() ? null : reasons.getFirst();
    }
}
