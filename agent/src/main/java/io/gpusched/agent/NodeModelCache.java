package io.gpusched.agent;

import io.gpusched.agent.model.LocalModels;
import io.gpusched.wire.proto.agent.AgentMessage;
import io.gpusched.wire.proto.agent.Assign;
import io.gpusched.wire.proto.agent.HeldModel;
import io.gpusched.wire.proto.agent.NodeModels;
import io.gpusched.wire.proto.agent.TaskOrder;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;

/// The model cache of the agent's node: takes orders from assignments, reports what the cache holds
/// when that changes, and tells tasks where their models are.
final class NodeModelCache implements AutoCloseable {
    /// The variable of a job that names its model, and the one that says where that is.
    private static final String MODEL = "GPU_SCHEDULER_MODEL";

    private static final String DIRECTORY = "GPU_SCHEDULER_MODEL_DIR";

    private final String node;
    private final LocalModels cache;
    private @Nullable List<HeldModel> reported;

    NodeModelCache(String node, LocalModels cache) {
        this.node = node;
        this.cache = cache;
    }

    void start(Runnable changed) {
        cache.start(changed);
    }

    /// The present orders, and a report in any case: the scheduler may believe that the node holds
    /// what it asks to be removed.
    void follow(Assign assign) {
        if (assign.getNodeId().equals(node)) {
            cache.follow(assign.getModelsList());
            boolean asks = assign.getModelsList().stream().anyMatch(order -> order.getRemove());
            reported = asks ? null : reported;
        }
    }

    /// A new session: the scheduler may know nothing.
    void forget() {
        reported = null;
    }

    void report(AgentSession session) {
        cache.look();
        List<HeldModel> held = cache.held();
        if (!held.equals(reported)) {
            reported = held;
            session.send(
                    AgentMessage.newBuilder()
                            .setModels(NodeModels.newBuilder().setNodeId(node).addAllModels(held))
                            .build());
        }
    }

    /// The tasks, with the directory of their model where the cache holds it.
    List<TaskOrder> placed(String on, List<TaskOrder> tasks) {
        return on.equals(node) ? tasks.stream().map(this::placed).toList() : tasks;
    }

    private TaskOrder placed(TaskOrder order) {
        String model = order.getSpec().getEnvironmentMap().getOrDefault(MODEL, "");
        Path directory = model.isEmpty() ? null : cache.find(model);
        if (directory == null) {
            return order;
        }
        var spec =
                order.getSpec().toBuilder().putEnvironment(DIRECTORY, directory.toString()).build();
        return order.toBuilder().setSpec(spec).build();
    }

    @Override
    public void close() {
        cache.close();
    }
}
