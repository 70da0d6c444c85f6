package io.gpusched.core.engine;

import io.gpusched.core.learn.JobProfiles;
import io.gpusched.core.learn.Learner;
import io.gpusched.core.learn.runtime.RuntimeEstimate;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.RuntimeExpectation;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterView;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Adds the expected runtime to a job when it is submitted, from the learned runtimes of its kind.
final class RuntimeStamper {
    private final Learner learner;
    private final double planned;
    private long fleet = -1;
    private String commonest = "";

    RuntimeStamper(Learner learner, double planned) {
        this.learner = learner;
        this.planned = planned;
    }

    /// The job with its expected runtime. Unchanged if the submission states an expected runtime,
    /// or if no run of its kind has been observed yet.
    JobSpec of(JobSpec spec, ClusterView cluster, Instant now) {
        if (spec.runtimeExpectation().isKnown() || spec.isReplica()) {
            return spec;
        }
        String usual = learner.model().usualGpu(JobProfiles.of(spec, "").kind());
        if (usual == null) {
            return spec;
        }
        RuntimeEstimate runtimeEstimate =
                learner.model().estimate(JobProfiles.of(spec, gpu(spec, usual, cluster)), now);
        return spec.expecting(
                RuntimeExpectation.seconds(
                        runtimeEstimate.median(), runtimeEstimate.quantile(planned)));
    }

    /// The GPU model on which the job will probably run: the one that it requests, else the one on
    /// which its kind usually runs, else the most common one of the cluster.
    private String gpu(JobSpec spec, String usual, ClusterView cluster) {
        if (spec.milliGpus() == 0) {
            return "";
        }
        List<GpuModel> models = spec.roles().getFirst().shape().models();
        if (models.size() == 1) {
            return models.getFirst().toString();
        }
        boolean may =
                models.isEmpty()
                        || models.stream().anyMatch(model -> model.toString().equals(usual));
        return may && !usual.isEmpty() ? usual : commonest(cluster);
    }

    private String commonest(ClusterView cluster) {
        if (cluster.nodes().version() != fleet) {
            fleet = cluster.nodes().version();
            var counts = new LinkedHashMap<String, Long>();
            for (NodeView node : cluster.nodes().all()) {
                node.facts()
                        .gpus()
                        .forEach(gpu -> counts.merge(gpu.model().toString(), 1L, Long::sum));
            }
            commonest =
                    counts.entrySet().stream()
                            .min(
                                    Map.Entry.<String, Long>comparingByValue()
                                            .reversed()
                                            .thenComparing(Map.Entry.comparingByKey()))
                            .map(Map.Entry::getKey)
                            .orElse("");
        }
        return commonest;
    }
}
