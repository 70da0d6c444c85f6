package io.gpusched.agent.task;

import io.gpusched.wire.proto.agent.Rendezvous;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskSpec;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Builds the environment of a task. Later entries win: a few variables of the agent, then the
/// job's, then the scheduler's.
///
/// A task sees only the GPUs of its grant. So the variables that select devices are always set
/// here, also for a task without GPUs, which sees none.
final class TaskEnvironment {
    /// Variables that a program expects on any machine. The rest of the agent's environment, which
    /// may contain secrets, is not passed on.
    private static final List<String> INHERITED =
            List.of(
                    "PATH",
                    "HOME",
                    "USER",
                    "LOGNAME",
                    "SHELL",
                    "LANG",
                    "LC_ALL",
                    "TZ",
                    "TMPDIR",
                    "LD_LIBRARY_PATH");

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");

    private TaskEnvironment() {}

    /// Why the job's variables are invalid; null if they are valid.
    static @Nullable String problem(TaskSpec spec) {
        for (Map.Entry<String, String> variable : spec.getEnvironmentMap().entrySet()) {
            if (!NAME.matcher(variable.getKey()).matches()) {
                return "environment variable name '"
                        + variable.getKey()
                        + "' must be letters, digits and _ . - and not begin with a digit";
            }
            if (variable.getValue().indexOf('\0') >= 0) {
                return "environment variable " + variable.getKey() + " contains a NUL character";
            }
        }
        return null;
    }

    static SequencedMap<String, String> of(
            TaskOrder order, String node, String cookie, int port, Map<String, String> own) {
        SequencedMap<String, String> variables = new LinkedHashMap<>();
        for (String name : INHERITED) {
            String value = own.get(name);
            if (value != null) {
                variables.put(name, value);
            }
        }
        order.getSpec().getEnvironmentMap().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(variable -> variables.put(variable.getKey(), variable.getValue()));
        addIdentity(variables, order, node, cookie);
        addGpus(variables, order);
        if (order.getRun().hasRendezvous()) {
            addRendezvous(variables, order, port);
        }
        return variables;
    }

    private static void addIdentity(
            Map<String, String> variables, TaskOrder order, String node, String cookie) {
        TaskRef task = order.getTask();
        TaskSpec spec = order.getSpec();
        variables.put("GPU_SCHEDULER_JOB_ID", spec.getJobId());
        variables.put("GPU_SCHEDULER_JOB_NAME", spec.getJobName());
        variables.put("GPU_SCHEDULER_TENANT_ID", spec.getTenantId());
        variables.put("GPU_SCHEDULER_ATTEMPT", Integer.toString(task.getAttempt()));
        variables.put("GPU_SCHEDULER_TASK", Integer.toString(task.getRank()));
        variables.put("GPU_SCHEDULER_NODE_ID", node);
        variables.put(TaskNames.COOKIE, cookie);
    }

    private static void addGpus(Map<String, String> variables, TaskOrder order) {
        String devices =
                order.getGpusList().stream().map(String::valueOf).collect(Collectors.joining(","));
        if (order.getSlicesCount() > 0) {
            devices = MigPlan.devices(order);
            variables.put("GPU_SCHEDULER_MIG_SLICES", MigPlan.shown(order));
        } else if (order.getGpuMilli() > 0 && order.getGpuMilli() < 1000) {
            addShare(variables, order);
        }
        variables.put("CUDA_VISIBLE_DEVICES", devices);
        variables.put("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
        variables.put("NVIDIA_VISIBLE_DEVICES", devices.isEmpty() ? "void" : devices);
    }

    /// Limits for NVIDIA's multi-process service, if it runs.
    private static void addShare(Map<String, String> variables, TaskOrder order) {
        int percent = Math.max(1, order.getGpuMilli() / 10);
        variables.put("GPU_SCHEDULER_GPU_MILLI", Integer.toString(order.getGpuMilli()));
        variables.put("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", Integer.toString(percent));
        if (order.getGpuMemoryMb() > 0) {
            variables.put("GPU_SCHEDULER_GPU_MEMORY_MB", Integer.toString(order.getGpuMemoryMb()));
            variables.put(
                    "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT",
                    IntStream.range(0, order.getGpusCount())
                            .mapToObj(at -> at + "=" + order.getGpuMemoryMb() + "M")
                            .collect(Collectors.joining(",")));
        }
    }

    private static void addRendezvous(Map<String, String> variables, TaskOrder order, int port) {
        Rendezvous meeting = order.getRun().getRendezvous();
        int chosen = meeting.getMasterPort() == 0 ? port : meeting.getMasterPort();
        variables.put("RANK", Integer.toString(order.getTask().getRank()));
        variables.put("WORLD_SIZE", Integer.toString(meeting.getWorldSize()));
        variables.put("LOCAL_RANK", Integer.toString(meeting.getLocalRank()));
        variables.put("LOCAL_WORLD_SIZE", Integer.toString(meeting.getLocalWorldSize()));
        variables.put("MASTER_ADDR", meeting.getMasterAddr());
        variables.put("MASTER_PORT", Integer.toString(chosen));
    }
}
