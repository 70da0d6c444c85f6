package io.gpusched.wire.codec;

import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Proximity;
import io.gpusched.core.model.Role;

import java.time.Duration;
import java.util.List;

/// The demand of a job, which thousands of jobs have in common.
record SharedDemand(List<Role> roles, List<Proximity> near, Duration limit, Interruption onLoss) {
    /// Copied once here, so that every job made from these shares the same lists.
    SharedDemand {
        roles = List.copyOf(roles);
        near = List.copyOf(near);
    }

    static SharedDemand of(JobSpec spec) {
        return new SharedDemand(spec.roles(), spec.near(), spec.limit(), spec.onLoss());
    }

    /// Whether this is the demand of `spec`. Only identical role objects count: a deep comparison
    /// would cost more than encoding them again.
    @SuppressWarnings("ReferenceEquality")
    boolean sameAs(JobSpec spec) {
        return roles == spec.roles()
                && near.equals(spec.near())
                && limit.equals(spec.limit())
                && onLoss.equals(spec.onLoss());
    }
}
