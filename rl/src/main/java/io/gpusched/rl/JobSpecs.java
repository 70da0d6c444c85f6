package io.gpusched.rl;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The specifications that jobs are submitted with. Jobs that need the same share one.
///
/// A specification has no time limit: the policy of [CoreCluster] does not plan ahead, and a job
/// ends when the environment says so.
final class JobSpecs {
    private final @Nullable JobSpec[][] known;

    /// By GPUs: the core compares shared roles by reference.
    private final List<List<Role>> roles = new ArrayList<>();

    JobSpecs(int mostGpus, int mostPriority) {
        this.known = new JobSpec[mostGpus + 1][mostPriority + 1];
        for (int gpus = 1; gpus <= mostGpus; gpus++) {
            Shape shape = Shape.of(GpuRequest.whole(gpus, 0), Resources.NONE);
            roles.add(List.of(Role.of(shape, 1)));
        }
    }

    JobSpec of(int gpus, int priority) {
        JobSpec spec = known[gpus][priority];
        if (spec == null) {
            spec = spec(gpus, priority);
            known[gpus][priority] = spec;
        }
        return spec;
    }

    private JobSpec spec(int gpus, int priority) {
        return JobSpec.builder(Tenant.DEFAULT, roles.get(gpus - 1))
                .name("benchmark")
                .priority(priority)
                .kind("benchmark")
                .build();
    }
}
