package io.gpusched.server.intake;

import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.server.view.LargestNode;

import java.util.ArrayList;
import java.util.List;

/// Warnings about an accepted job: the user should learn at once what would otherwise only show
/// while the job waits or after it has run.
final class SubmissionWarnings {
    /// Variables by which a process chooses its GPUs. The agent overwrites them.
    private static final List<String> SET_BY_THE_AGENT =
            List.of("CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES");

    private SubmissionWarnings() {}

    /// Warnings about the request itself.
    static List<String> about(JobSpec spec) {
        var warnings = new ArrayList<String>();
        Payload payload = spec.payload();
        if (payload.command().isEmpty() && payload.args().isEmpty() && payload.script().isBlank()) {
            warnings.add(
                    "the job has neither command nor script: it will end at once, having done"
                            + " nothing");
        }
        for (String name : SET_BY_THE_AGENT) {
            if (payload.environment().entries().containsKey(name)) {
                warnings.add(
                        ("environment: the agent sets %s to the GPUs that the job is given; the"
                                        + " job's own value is not used")
                                .formatted(name));
            }
        }
        return warnings;
    }

    /// Warnings about requested resources that no present node has.
    static List<String> lacking(JobSpec spec, LargestNode nodes) {
        var warnings = new ArrayList<String>();
        if (nodes.nodes() > 0) {
            for (Role role : spec.roles()) {
                add(role.shape(), nodes, warnings);
            }
        }
        return warnings;
    }

    private static void add(Shape shape, LargestNode nodes, List<String> warnings) {
        boolean modelExists =
                shape.models().isEmpty()
                        || shape.models().stream()
                                .anyMatch(
                                        asked -> nodes.models().stream().anyMatch(asked::accepts));
        if (!modelExists) {
            warnings.add(
                    "gpu_model: no node has a GPU of %s; the job waits until one joins"
                            .formatted(shape.models()));
        }
        if (shape.host().milliCpu() > nodes.milliCpu()) {
            warnings.add(
                    ("cpu_cores: no node has %s cores for one task, the largest has %s; the job"
                                    + " waits until one joins")
                            .formatted(cores(shape.host().milliCpu()), cores(nodes.milliCpu())));
        }
        if (shape.host().memoryMiB() > nodes.memoryMiB()) {
            warnings.add(
                    ("memory_mb: no node has %d MB for one task, the largest has %d; the job waits"
                                    + " until one joins")
                            .formatted(shape.host().memoryMiB(), nodes.memoryMiB()));
        }
    }

    private static String cores(long milli) {
        return milli % 1000 == 0 ? Long.toString(milli / 1000) : Double.toString(milli / 1000.0);
    }
}
