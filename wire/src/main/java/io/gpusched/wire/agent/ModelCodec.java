package io.gpusched.wire.agent;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.pool.CacheState;
import io.gpusched.wire.proto.agent.HeldModel;
import io.gpusched.wire.proto.agent.ModelOrder;
import io.gpusched.wire.proto.agent.NodeModels;

import java.util.ArrayList;

/// Converts orders and reports about models between the core and the agent protocol.
public final class ModelCodec {
    private static final int MOST_MODELS = 1_000;
    private static final int LONGEST_NAME = 253;
    private static final int LONGEST_PROBLEM = 500;

    private ModelCodec() {}

    public static ModelOrder order(io.gpusched.core.model.ModelOrder order) {
        return ModelOrder.newBuilder()
                .setModel(order.model())
                .setUri(order.uri())
                .setBytes(order.bytes())
                .setRemove(order.remove())
                .build();
    }

    /// @throws IllegalArgumentException with a message for the operator of the agent
    public static Report.NodeModels report(NodeModels told) {
        if (told.getModelsCount() > MOST_MODELS) {
            throw new IllegalArgumentException(
                    "expected at most "
                            + MOST_MODELS
                            + " models of a node, found "
                            + told.getModelsCount());
        }
        var models = new ArrayList<io.gpusched.core.pool.HeldModel>();
        for (HeldModel each : told.getModelsList()) {
            if (each.getModel().isEmpty() || each.getModel().length() > LONGEST_NAME) {
                throw new IllegalArgumentException(
                        "expected the name of a model, found '" + each.getModel() + "'");
            }
            String problem = each.getProblem();
            models.add(
                    new io.gpusched.core.pool.HeldModel(
                            each.getModel(),
                            state(each),
                            Math.max(0, each.getBytes()),
                            problem.substring(0, Math.min(problem.length(), LONGEST_PROBLEM))));
        }
        return new Report.NodeModels(new NodeId(told.getNodeId()), models);
    }

    private static CacheState state(HeldModel each) {
        return switch (each.getState()) {
            case LOADING -> CacheState.LOADING;
            case CACHED -> CacheState.CACHED;
            case FAILED -> CacheState.FAILED;
            case UNKNOWN, UNRECOGNIZED ->
                    throw new IllegalArgumentException(
                            "expected LOADING, CACHED or FAILED, found " + each.getStateValue());
        };
    }
}
