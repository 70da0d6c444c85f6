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

/// What is expected of a job that comes.
final class RuntimeStamper {
    private final Learner learner;
    private final double planned;
    private long fleet = -1;
    private String commonest = "";

    RuntimeStamper(Learner learner, double planned) {
        this.learner = learner;
        this.planned = planned;
    }

    /// The same job with its expected run time; unchanged as long as no run of its kind has taught
    /// anything, and when it comes with what is expected of it: then somebody knows better.
    JobSpec of(JobSpec spec, ClusterView cluster, Instant now) {
        if (spec.runtimeExpectation().isKnown()) {
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

    /// Where it will run is not known yet: on the model it insists on, else likely where its kind
    /// has run before, else on the model there is most of.
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
