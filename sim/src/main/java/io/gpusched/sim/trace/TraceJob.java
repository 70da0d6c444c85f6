package io.gpusched.sim.trace;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.TenantId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A job of a trace, whatever the trace's form.
///
/// @param tenant whose it was; empty where the trace does not say
/// @param submitted traces that count seconds from their own beginning begin at the epoch
/// @param runtime how long it really ran; zero where the trace does not say
/// @param limit how long it said it would run at most; zero where it did not
public record TraceJob(
        String name, String tenant, Instant submitted, Duration runtime, Duration limit, Ask ask) {
    /// What a job asked for.
    ///
    /// @param milliPerGpu thousandths of each of the GPUs; 1000 for whole ones
    /// @param milliCpu cores of the whole job, in thousandths
    /// @param models any of these GPU models; any at all when empty
    public record Ask(
            int gpus, int milliPerGpu, long milliCpu, long memoryMiB, List<String> models) {
        public Ask {
            models = List.copyOf(models);
            Check.that(!models.contains(""), "asks for a GPU model without a name");
            Check.that(
                    gpus >= 0 && milliPerGpu >= 0 && milliPerGpu <= 1000,
                    "asks for %s GPUs of %s thousandths",
                    gpus,
                    milliPerGpu);
            Check.that(
                    milliCpu >= 0 && memoryMiB >= 0,
                    "asks for %s milli-CPU and %s MiB",
                    milliCpu,
                    memoryMiB);
        }

        /// Whole GPUs and nothing else.
        public static Ask ofGpus(int gpus) {
            return new Ask(gpus, 1000, 0, 0, List.of());
        }

        /// Cores and nothing else.
        public static Ask ofCores(long cores) {
            return new Ask(0, 0, cores * 1000, 0, List.of());
        }

        /// The tasks of the job on nodes with so many GPUs: one where it fits on a node, else whole
        /// nodes and the rest on one more. Cores and memory go with the GPUs.
        public List<Role> roles(int gpusPerNode) {
            if (gpus <= gpusPerNode) {
                return List.of(Role.of(shape(gpus), 1));
            }
            var roles = new ArrayList<Role>();
            roles.add(Role.of(shape(gpusPerNode), gpus / gpusPerNode));
            if (gpus % gpusPerNode > 0) {
                roles.add(new Role("rest", shape(gpus % gpusPerNode), 1, 1));
            }
            return roles;
        }

        /// Of the whole job as one task.
        public Shape shape() {
            return shape(gpus);
        }

        private Shape shape(int count) {
            GpuRequest wanted =
                    milliPerGpu == 0 || milliPerGpu == 1000
                            ? GpuRequest.whole(count, 0)
                            : GpuRequest.shares(milliPerGpu, 0, count);
            int all = Math.max(1, gpus);
            int part = Math.max(1, count);
            var host = new Resources(milliCpu * part / all, memoryMiB * part / all);
            return new Shape(
                    wanted,
                    host,
                    models.stream().map(name -> new GpuModel(name, 0)).toList(),
                    Labels.NONE,
                    List.of());
        }
    }

    /// As this scheduler would get it, on nodes with so many GPUs.
    public JobSpec spec(TenantId whose, int gpusPerNode, Interruption onLoss) {
        return JobSpec.builder(whose, ask.roles(gpusPerNode))
                .name(name.isEmpty() ? "job" : name)
                .kind("trace")
                .limit(limit)
                .onLoss(onLoss)
                .build();
    }
}
