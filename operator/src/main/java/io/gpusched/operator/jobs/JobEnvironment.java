package io.gpusched.operator.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;

import io.gpusched.wire.proto.agent.Rendezvous;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskSpec;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The environment of a job's container, with the names that agents on machines use. Later entries
/// win: the template's, the job's, the scheduler's.
///
/// The device plug-in says which GPUs a container sees. A variable of the job would overrule it and
/// show GPUs of others, so it is dropped; a container without GPUs is told that it sees none.
final class JobEnvironment {
    /// Each pod has its own address, so the same port suits all.
    static final int MASTER_PORT = 29_500;

    private static final Set<String> DEVICES =
            Set.of("NVIDIA_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES");

    private JobEnvironment() {}

    static void put(TaskOrder order, String node, String master, ArrayNode env) {
        Map<String, String> variables = new LinkedHashMap<>();
        new TreeMap<>(order.getSpec().getEnvironmentMap()).forEach(variables::put);
        addIdentity(order, node, variables);
        if (order.getRun().hasRendezvous()) {
            addRendezvous(order, master, variables);
        }
        variables.keySet().removeAll(DEVICES);
        if (order.getGpusCount() == 0 && order.getSlicesCount() == 0) {
            variables.put("NVIDIA_VISIBLE_DEVICES", "void");
        }
        for (int i = env.size() - 1; i >= 0; i--) {
            JsonNode name = env.get(i).path("name");
            if (variables.containsKey(name.asText()) || DEVICES.contains(name.asText())) {
                env.remove(i);
            }
        }
        variables.forEach(
                (name, value) -> env.addObject().put("name", name).put("value", literal(value)));
    }

    /// The kubelet replaces `$(NAME)` and `$$` in commands, arguments and values; elsewhere jobs
    /// have no such thing, so every dollar sign stands for itself.
    static String literal(String text) {
        return text.replace("$", "$$");
    }

    private static void addIdentity(TaskOrder order, String node, Map<String, String> variables) {
        TaskSpec spec = order.getSpec();
        variables.put("GPU_SCHEDULER_JOB_ID", spec.getJobId());
        variables.put("GPU_SCHEDULER_JOB_NAME", spec.getJobName());
        variables.put("GPU_SCHEDULER_TENANT_ID", spec.getTenantId());
        variables.put("GPU_SCHEDULER_ATTEMPT", Integer.toString(order.getTask().getAttempt()));
        variables.put("GPU_SCHEDULER_TASK", Integer.toString(order.getTask().getRank()));
        variables.put("GPU_SCHEDULER_NODE_ID", node);
    }

    private static void addRendezvous(
            TaskOrder order, String master, Map<String, String> variables) {
        Rendezvous meeting = order.getRun().getRendezvous();
        int port = meeting.getMasterPort() == 0 ? MASTER_PORT : meeting.getMasterPort();
        variables.put("RANK", Integer.toString(order.getTask().getRank()));
        variables.put("WORLD_SIZE", Integer.toString(meeting.getWorldSize()));
        variables.put("LOCAL_RANK", Integer.toString(meeting.getLocalRank()));
        variables.put("LOCAL_WORLD_SIZE", Integer.toString(meeting.getLocalWorldSize()));
        variables.put("MASTER_ADDR", master);
        variables.put("MASTER_PORT", Integer.toString(port));
    }
}
