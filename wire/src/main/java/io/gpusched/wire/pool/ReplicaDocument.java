package io.gpusched.wire.pool;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Proximity;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Toleration;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.NodeRequirementReader;

import java.util.Locale;

/// Writes what a replica asks for with the fields of a job submission, so that reading it again
/// gives an equal job.
final class ReplicaDocument {
    private ReplicaDocument() {}

    static JsonTree.Mapping of(JobSpec spec) {
        var out = new TreeBuilder();
        out.put("name", spec.name()).put("kind", spec.kind()).put("priority", spec.priority());
        Role role = spec.roles().getFirst();
        gpus(role, out);
        Shape shape = role.shape();
        cores(role, out);
        out.put("memory_mb", shape.host().memoryMiB() * role.min());
        if (spec.isGang()) {
            out.put("gang_scheduling", true).put("tasks", role.min());
        }
        out.putUnlessEmpty(
                "gpu_model", shape.models().stream().map(model -> model.toString()).toList());
        if (!shape.nodes().isEmpty()) {
            out.put("node_selector", shape.nodes().entries());
        }
        if (!shape.requires().isEmpty()) {
            out.put("node_requirements", NodeRequirementReader.written(shape.requires()));
        }
        if (!shape.tolerates().isEmpty()) {
            out.put(
                    "tolerations",
                    new JsonTree.Items(
                            shape.tolerates().stream().map(ReplicaDocument::toleration).toList()));
        }
        near(spec, out);
        out.putUnlessZero("max_runtime_seconds", spec.limit().toSeconds());
        out.put("grace_seconds", spec.onLoss().grace().toSeconds());
        if (!spec.onLoss().requeue()) {
            out.put("requeue", false);
        }
        if (spec.onLoss().checkpoints()) {
            out.put("checkpoint_enabled", true);
        }
        payload(spec.payload(), out);
        if (!spec.labels().isEmpty()) {
            out.put("labels", spec.labels().entries());
        }
        return out.build();
    }

    /// Whole cores, as far as they give each task the same number of thousandths.
    private static void cores(Role role, TreeBuilder out) {
        long sum = role.shape().host().milliCpu() * role.min();
        long whole = Math.ceilDiv(sum, 1000L);
        if (whole * 1000 - sum < role.min()) {
            out.put("cpu_cores", whole);
        } else {
            out.put("cpu_milli", sum);
        }
    }

    private static void gpus(Role role, TreeBuilder out) {
        switch (role.shape().gpus()) {
            case GpuRequest.None _ -> out.put("gpu_count", 0);
            case GpuRequest.Whole whole -> {
                out.put("gpu_count", (long) whole.count() * role.min());
                out.putUnlessZero("gpu_memory_mb", whole.memoryMiB());
                if (whole.locality() != Locality.ANY) {
                    out.put("gpu_locality", name(whole.locality()));
                }
                if (whole.minBandwidth() > 0) {
                    out.put("gpu_min_bandwidth", whole.minBandwidth() + "Gi");
                }
            }
            case GpuRequest.Slice slice ->
                    out.put("gpu_count", (long) slice.count() * role.min())
                            .put("mig_profile", slice.profile());
            case GpuRequest.Share share ->
                    out.put("gpu_count", (long) share.count() * role.min())
                            .put("gpu_milli", share.milli())
                            .putUnlessZero("gpu_memory_mb", share.memoryMiB());
        }
    }

    private static String name(Locality locality) {
        return locality.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static JsonTree toleration(Toleration toleration) {
        return new TreeBuilder()
                .put("key", toleration.key())
                .put("operator", toleration.exists() ? "Exists" : "Equal")
                .putUnlessEmpty("value", toleration.value())
                .putUnlessEmpty("effect", toleration.effect())
                .build();
    }

    private static void near(JobSpec spec, TreeBuilder out) {
        out.putUnlessEmpty(
                "within",
                spec.near().stream()
                        .filter(Proximity::required)
                        .map(Proximity::level)
                        .distinct()
                        .toList());
        out.putUnlessEmpty(
                "near",
                spec.near().stream()
                        .filter(proximity -> !proximity.required())
                        .map(Proximity::level)
                        .toList());
    }

    private static void payload(Payload payload, TreeBuilder out) {
        out.putUnlessEmpty("script", payload.script());
        out.putUnlessEmpty("command", payload.command());
        out.putUnlessEmpty("args", payload.args());
        if (!payload.environment().isEmpty()) {
            out.put("environment", payload.environment().entries());
        }
        out.putUnlessEmpty("image", payload.image());
        out.putUnlessEmpty("working_dir", payload.workingDir());
        out.putUnlessEmpty("attachment", payload.attachment());
    }
}
