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

    /// The job with the roles that are known, where these are equal; otherwise its own roles are
    /// known from now on.
    Job keep(Job job) {
        List<Role> roles = known.get(job.spec().roles());
        if (roles == null) {
            remember(job.spec().roles());
            return job;
        }
        return isOf(roles, job.spec()) ? job : job.with(job.spec().withRoles(roles));
    }

    /// The same specification with the roles that are known, where these are equal. It remembers
    /// nothing: the job may never be submitted.
    JobSpec sharing(JobSpec spec) {
        List<Role> roles = known.get(spec.roles());
        return roles == null || isOf(roles, spec) ? spec : spec.withRoles(roles);
    }

    private void remember(List<Role> roles) {
        if (known.size() >= MOST) {
            known.clear();
        }
        known.put(roles, roles);
    }

    @SuppressWarnings("ReferenceEquality") // one object is the point
    private static boolean isOf(List<Role> roles, JobSpec spec) {
        return roles == spec.roles();
    }
}
