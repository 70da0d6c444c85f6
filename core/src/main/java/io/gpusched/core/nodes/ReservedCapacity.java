package io.gpusched.core.nodes;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Slot;

import java.util.List;
import java.util.function.ToLongFunction;

/// What promises hide from somebody who would hold a place for a certain time, now or later. It
/// knows when each promise begins and ends, which a claim alone does not tell.
///
///     n1, 8 cores   promised: 6 cores 14:00–15:00, 5 cores 16:00–17:00
///       to a job that runs 13:00–18:00 most of what is promised at once is 6, not 11
public interface ReservedCapacity {
    /// Whether what the claim names may not be used.
    boolean hides(Claim claim);

    /// The most that is promised at any one time beyond what running tasks return before.
    ///
    /// @param of how much of it a slot takes
    long most(List<Claim> claims, NodeId node, ToLongFunction<Slot> of);
}
