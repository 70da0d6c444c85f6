package io.gpusched.core.nodes;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Slot;

import java.util.List;
import java.util.function.ToLongFunction;

/// What reservations hide from a job that would hold a place for a certain time, now or later. It
/// knows when each reservation begins and ends, which a claim alone does not say.
///
///     n1, 8 cores   reserved: 6 cores 14:00–15:00, 5 cores 16:00–17:00
///       to a job that runs 13:00–18:00 the most that is reserved at once is 6, not 11
public interface ReservedCapacity {
    /// Whether the job must not use what the claim names.
    boolean hides(Claim claim);

    /// The most that is reserved at any one time beyond what running tasks release before.
    ///
    /// @param of how much of it a slot takes
    long most(List<Claim> claims, NodeId node, ToLongFunction<Slot> of);
}
