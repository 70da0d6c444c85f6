package io.gpusched.core.place;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuFamily;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.KnownTopologies;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.MigGpuModel;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.SpellingSuggestion;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.filter.Unconnected;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Checks at submission whether the fleet could ever satisfy a job. A mistake is rejected with the
/// nearest request that would work; a GPU that exists elsewhere and may still join is accepted with
/// a warning. A fleet without nodes rejects nothing.
public final class RequestFeasibility {
    private final List<Node> kinds = new ArrayList<>();
    private final Unconnected connections = new Unconnected();
    private final List<String> warnings = new ArrayList<>();

    public RequestFeasibility(ClusterState state) {
        for (int group = 0; group < state.nodes().index().groups(); group++) {
            NodeView sample = state.nodes().index().sample(group);
            if (!sample.facts().gpus().isEmpty()) {
                kinds.add(sample.facts());
            }
        }
    }

    /// Whether the job requests nothing that could be missing, as most do.
    public static boolean isPlain(JobSpec spec) {
        for (Role role : spec.roles()) {
            boolean plain =
                    role.shape().models().isEmpty()
                            && !(role.shape().gpus() instanceof GpuRequest.Slice)
                            && !(role.shape().gpus() instanceof GpuRequest.Whole whole
                                    && whole.isParticular());
            if (!plain) {
                return false;
            }
        }
        return true;
    }

    public List<String> warnings() {
        return warnings;
    }

    /// What makes the job impossible; null when it is possible.
    public @Nullable Problem problem(JobSpec spec) {
        for (Role role : spec.roles()) {
            Problem problem = kinds.isEmpty() ? null : problem(role.shape());
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private @Nullable Problem problem(Shape shape) {
        Problem unknown = unknownModel(shape);
        if (unknown != null) {
            return unknown;
        }
        if (shape.gpus() instanceof GpuRequest.Slice slice) {
            boolean any = gpus().stream().anyMatch(gpu -> offers(gpu, slice.profile()));
            if (!any) {
                warnings.add(
                        "no GPU of the cluster has the MIG profile "
                                + slice.profile()
                                + "; the job waits");
            }
        }
        if (shape.gpus() instanceof GpuRequest.Whole whole && whole.isParticular()) {
            return unconnected(shape, whole);
        }
        return null;
    }

    private static boolean offers(Gpu gpu, String profile) {
        MigGpuModel card = MigGpuModel.of(gpu);
        return card != null && card.profile(profile) != null;
    }

    private List<Gpu> gpus() {
        return kinds.stream().flatMap(node -> node.gpus().stream()).toList();
    }

    private @Nullable Problem unknownModel(Shape shape) {
        var present = new ArrayList<String>();
        for (Gpu gpu : gpus()) {
            if (shape.acceptsModel(gpu.model())) {
                return null;
            }
            if (!present.contains(gpu.model().toString())) {
                present.add(gpu.model().toString());
            }
        }
        for (GpuModel model : shape.models()) {
            if (GpuFamily.known(model.family()) != null) {
                warnings.add(
                        "no GPU of the cluster is one of " + shape.models() + "; the job waits");
                return null;
            }
        }
        String wanted = shape.models().getFirst().toString();
        String nearest = SpellingSuggestion.to(wanted, present);
        return new Problem(
                Problem.Code.INVALID,
                "gpu_model",
                "GPU model " + wanted + " is not known",
                nearest == null
                        ? "use a model of the cluster: " + String.join(", ", present)
                        : "did you mean " + nearest + "?");
    }

    private @Nullable Problem unconnected(Shape shape, GpuRequest.Whole wanted) {
        int reach = 0;
        for (Node node : kinds) {
            if (connections.refuse(shape, node) == null) {
                return null;
            }
            reach = Math.max(reach, connections.reach(shape, wanted, node));
        }
        String gpus = Plurals.of(wanted.count(), "GPU") + ofModels(shape);
        if (wanted.minBandwidth() > 0 && reach > 0) {
            return new Problem(
                    Problem.Code.INVALID,
                    "gpu_min_bandwidth",
                    "no node reaches " + wanted.minBandwidth() + " GB/s between " + gpus,
                    "ask for at most " + reach + "Gi");
        }
        if (kinds.stream().noneMatch(node -> node.topology().size() > 0)) {
            return new Problem(
                    Problem.Code.INVALID,
                    wanted.locality() == Locality.ANY ? "gpu_min_bandwidth" : "gpu_locality",
                    "no node reports how its GPUs are connected",
                    "use same-node or any, without a bandwidth; or start agents with --topology, or"
                            + " label nodes "
                            + KnownTopologies.LABEL);
        }
        int most = most(shape, wanted);
        String fewer = most > 1 ? "ask for at most " + most + " GPUs, or " : "";
        if (wanted.locality() == Locality.ANY || wanted.locality() == Locality.SAME_NODE) {
            return new Problem(
                    Problem.Code.INVALID,
                    "gpu_min_bandwidth",
                    "no node has " + gpus + (shape.models().isEmpty() ? " of one family" : ""),
                    fewer + (fewer.isEmpty() ? "ask for no bandwidth" : "for no bandwidth"));
        }
        String joined =
                wanted.locality() == Locality.NVLINK ? "all connected by NVLink" : "at one socket";
        return new Problem(
                Problem.Code.INVALID,
                "gpu_locality",
                "no node has " + gpus + " " + joined,
                fewer + (fewer.isEmpty() ? "use same-node or any" : "for same-node"));
    }

    private static String ofModels(Shape shape) {
        return shape.models().isEmpty() ? "" : " of " + shape.models();
    }

    private int most(Shape shape, GpuRequest.Whole wanted) {
        for (int count = wanted.count() - 1; count > 1; count--) {
            var fewer =
                    new GpuRequest.Whole(
                            count, wanted.memoryMiB(), wanted.locality(), wanted.minBandwidth());
            var smaller = shape.withGpus(fewer);
            for (Node node : kinds) {
                if (connections.refuse(smaller, node) == null) {
                    return count;
                }
            }
        }
        return 1;
    }
}
