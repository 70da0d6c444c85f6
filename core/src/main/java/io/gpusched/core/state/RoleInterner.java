package io.gpusched.core.state;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Role;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Makes equal lists of roles one object: a million waiting jobs have a few thousand shapes, and
/// comparing two becomes comparing references.
final class RoleInterner {
    private static final int MOST = 100_000;

    private final Map<List<Role>, List<Role>> known = new LinkedHashMap<>();

    @SuppressWarnings("ReferenceEquality") // one object is the point
    Job shared(Job job) {
        JobSpec spec = job.spec();
        List<Role> roles = known.get(spec.roles());
        if (roles == null) {
            if (known.size() >= MOST) {
                known.clear();
            }
            known.put(spec.roles(), spec.roles());
            return job;
        }
        return roles == spec.roles() ? job : job.with(spec.withRoles(roles));
    }
}
