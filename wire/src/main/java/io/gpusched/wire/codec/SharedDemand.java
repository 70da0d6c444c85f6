package io.gpusched.wire.codec;

import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Proximity;
import io.gpusched.core.model.Role;

import java.time.Duration;
import java.util.List;

/// The part of a job's wishes that thousands of jobs have in common.
record SharedDemand(List<Role> roles, List<Proximity> near, Duration limit, Interruption onLoss) {
    /// Copied here once, so that every job made from these shares the very lists.
    SharedDemand {
        roles = List.copyOf(roles);
        near = List.copyOf(near);
    }

    static SharedDemand of(JobSpec spec) {
        return new SharedDemand(spec.roles(), spec.near(), spec.limit(), spec.onLoss());
    }

    /// Whether these are the wishes of `spec`. Only the very same roles count: comparing deeply
    /// would cost more than writing them again.
    @SuppressWarnings("ReferenceEquality")
    boolean sameAs(JobSpec spec) {
        return roles == spec.roles()
                && near.equals(spec.near())
                && limit.equals(spec.limit())
                && onLoss.equals(spec.onLoss());
    }
}
