package io.gpusched.core.policy.filter;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.MigConfig;
import io.gpusched.core.model.MigGpuModel;
import io.gpusched.core.model.MigProfile;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Refusal;

import org.jspecify.annotations.Nullable;

/// Refuses nodes that do not offer the requested slices, and for all other requests nodes whose
/// GPUs are permanently partitioned into slices.
public final class WrongMigMode implements Filter {
    @Override
    public @Nullable Refusal refuse(Shape shape, NodeView node) {
        return switch (shape.gpus()) {
            case GpuRequest.None none -> null;
            case GpuRequest.Whole whole -> whole(shape, node.facts());
            case GpuRequest.Share share -> whole(shape, node.facts());
            case GpuRequest.Slice slice -> slice(shape, slice, node.facts());
        };
    }

    @Override
    public boolean fixed() {
        return true;
    }

    private static @Nullable Refusal whole(Shape shape, Node node) {
        long cut = MigConfig.cutForGood(node);
        if (cut == 0 || Long.bitCount(node.allGpus() & ~cut) >= shape.gpus().devices()) {
            return null;
        }
        return Refusal.untilFleet(
                "cut",
                "GPUs are partitioned into MIG slices, " + MigConfig.LABEL + "=" + value(node));
    }

    private static @Nullable Refusal slice(Shape shape, GpuRequest.Slice wanted, Node node) {
        int offered = offered(shape, wanted, node);
        return offered >= wanted.count()
                ? null
                : Refusal.untilFleet("uncut", why(shape, wanted, node, offered));
    }

    /// The most slices of the requested profile that the node holds when it is idle.
    public static int offered(Shape shape, GpuRequest.Slice wanted, Node node) {
        MigConfig config = MigConfig.of(node.labels());
        int offered = 0;
        for (Gpu gpu : node.gpus()) {
            MigGpuModel card = shape.acceptsModel(gpu.model()) ? MigGpuModel.of(gpu) : null;
            MigProfile profile = card == null ? null : card.profile(wanted.profile());
            if (card != null && profile != null) {
                offered += offered(config, card, profile, gpu.index());
            }
        }
        return offered;
    }

    private static boolean isPossible(Shape shape, GpuRequest.Slice wanted, Node node) {
        for (Gpu gpu : node.gpus()) {
            MigGpuModel card = shape.acceptsModel(gpu.model()) ? MigGpuModel.of(gpu) : null;
            if (card != null && card.profile(wanted.profile()) != null) {
                return true;
            }
        }
        return false;
    }

    private static int offered(MigConfig config, MigGpuModel card, MigProfile profile, int gpu) {
        return switch (config.kind()) {
            case OFF, UNKNOWN -> 0;
            case DYNAMIC -> profile.most();
            case FIXED ->
                    (int)
                            config.layout(card, gpu).stream()
                                    .filter(slot -> slot.profile().equals(profile.name()))
                                    .count();
        };
    }

    private static String why(Shape shape, GpuRequest.Slice wanted, Node node, int offered) {
        MigConfig config = MigConfig.of(node.labels());
        if (!isPossible(shape, wanted, node)) {
            return "GPUs of the node have no MIG profile " + wanted.profile();
        }
        if (offered > 0) {
            return "node holds at most "
                    + offered
                    + (offered == 1 ? " slice of " : " slices of ")
                    + wanted.profile();
        }
        return switch (config.kind()) {
            case OFF -> "node does not allow MIG slices; label it " + MigConfig.LABEL + "=mixed";
            case UNKNOWN -> MigConfig.LABEL + "=" + value(node) + " is not a known value";
            case DYNAMIC, FIXED ->
                    MigConfig.LABEL + "=" + value(node) + " gives no slices of " + wanted.profile();
        };
    }

    private static String value(Node node) {
        return node.labels().value(MigConfig.LABEL);
    }
}
