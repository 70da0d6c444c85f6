package io.gpusched.agent;

import io.gpusched.agent.model.ModelHost;
import io.gpusched.wire.proto.agent.AgentMessage;
import io.gpusched.wire.proto.agent.Assign;
import io.gpusched.wire.proto.agent.HeldModel;
import io.gpusched.wire.proto.agent.NodeModels;
import io.gpusched.wire.proto.agent.TaskOrder;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The model caches of the agent's nodes: takes orders from assignments, reports what a cache holds
/// when that changes, and tells tasks where their models are.
final class ModelCaches implements AutoCloseable {
    /// The variable of a job that names its model, and the one that says where that is.
    private static final String MODEL = "GPU_SCHEDULER_MODEL";

    private static final String DIRECTORY = "GPU_SCHEDULER_MODEL_DIR";

    private final ModelHost host;
    private final Map<String, List<HeldModel>> reported = new HashMap<>();

    ModelCaches(ModelHost host) {
        this.host = host;
    }

    void start(Runnable changed) {
        host.start(changed);
    }

    /// The present orders, and a report in any case: the scheduler may believe that the node holds
    /// what it asks to be removed.
    void follow(Assign assign) {
        String node = assign.getNodeId();
        host.follow(node, assign.getModelsList());
        if (assign.getModelsList().stream().anyMatch(order -> order.getRemove())) {
            reported.remove(node);
        }
    }

    /// A new session: the scheduler may know nothing.
    void forget() {
        reported.clear();
    }

    void report(AgentSession session) {
        host.look();
        Map<String, List<HeldModel>> held = host.held();
        held.forEach(
                (node, models) -> {
                    if (!models.equals(reported.get(node))) {
                        send(node, models, session);
                    }
                });
        for (String node : List.copyOf(reported.keySet())) {
            if (!held.containsKey(node)) {
                send(node, List.of(), session);
                reported.remove(node);
            }
        }
    }

    private void send(String node, List<HeldModel> models, AgentSession session) {
        reported.put(node, models);
        session.send(
                AgentMessage.newBuilder()
                        .setModels(NodeModels.newBuilder().setNodeId(node).addAllModels(models))
                        .build());
    }

    /// The tasks, with the directory of their model where the cache holds it.
    List<TaskOrder> placed(String on, List<TaskOrder> tasks) {
        return tasks.stream().map(order -> placed(on, order)).toList();
    }

    private TaskOrder placed(String on, TaskOrder order) {
        String model = order.getSpec().getEnvironmentMap().getOrDefault(MODEL, "");
        String directory = model.isEmpty() ? "" : host.find(on, model);
        if (directory.isEmpty()) {
            return order;
        }
        var spec = order.getSpec().toBuilder().putEnvironment(DIRECTORY, directory).build();
        return order.toBuilder().setSpec(spec).build();
    }

    @Override
    public void close() {
        host.close();
    }
}
