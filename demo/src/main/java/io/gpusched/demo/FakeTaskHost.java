package io.gpusched.demo;

import com.google.protobuf.ByteString;

import io.gpusched.agent.task.TaskHost;
import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.LogRequest;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Runs simulated tasks on simulated machines.
final class FakeTaskHost implements TaskHost {
    /// Ended tasks whose output can still be read.
    private static final int MOST_REMEMBERED = 5000;

    private final Map<String, DemoMachine> machines;
    private final Map<TaskRef, FakeTask> tasks = new LinkedHashMap<>();
    private final Set<TaskRef> known = new HashSet<>();
    private final Map<TaskRef, FakeTask> remembered = new LinkedHashMap<>();

    FakeTaskHost(Map<String, DemoMachine> machines) {
        this.machines = machines;
    }

    @Override
    public void watch(Runnable changed) {
        // Time is all that changes anything here, and the agent looks several times a second.
    }

    @Override
    public void converge(String node, List<TaskOrder> wanted) {
        var named = new HashSet<TaskRef>();
        for (TaskOrder order : wanted) {
            named.add(order.getTask());
            obey(node, order);
        }
        for (FakeTask task : tasks.values()) {
            if (task.node().equals(node) && !named.contains(task.ref())) {
                task.stop();
            }
        }
        known.removeIf(ref -> !named.contains(ref) && !tasks.containsKey(ref) && of(ref, node));
        warm(node);
    }

    private boolean of(TaskRef ref, String node) {
        FakeTask task = remembered.get(ref);
        return task == null || task.node().equals(node);
    }

    private void obey(String node, TaskOrder order) {
        FakeTask task = tasks.get(order.getTask());
        if (task == null) {
            if (!known.add(order.getTask())) {
                return;
            }
            task = new FakeTask(node, order);
            tasks.put(order.getTask(), task);
        }
        switch (order.getOrderCase()) {
            case RUN -> task.run();
            case STOP -> task.stop();
            case PREPARE, ORDER_NOT_SET -> {}
        }
    }

    private void warm(String node) {
        DemoMachine demoMachine = machines.get(node);
        if (demoMachine != null) {
            demoMachine.work(
                    tasks.values().stream()
                            .filter(task -> task.node().equals(node))
                            .flatMap(task -> task.uses().stream())
                            .toList());
        }
    }

    @Override
    public List<TaskReport> tasks() {
        var reports = new ArrayList<TaskReport>();
        for (FakeTask task : tasks.values()) {
            task.age();
            reports.add(task.report());
        }
        return reports;
    }

    @Override
    public void acknowledged(TaskRef ref) {
        FakeTask task = tasks.remove(ref);
        if (task != null) {
            remembered.put(ref, task);
        }
    }

    @Override
    public LogMark logMark(TaskRef ref) {
        FakeTask task = tasks.containsKey(ref) ? tasks.get(ref) : remembered.get(ref);
        if (task == null) {
            return new LogMark(-1, true);
        }
        task.age();
        return new LogMark(task.output().length(), task.hasEnded());
    }

    @Override
    public LogChunk log(LogRequest request) {
        FakeTask task = tasks.get(request.getTask());
        if (task == null) {
            task = remembered.get(request.getTask());
        }
        var chunk = LogChunk.newBuilder().setRequest(request.getRequest());
        if (task == null) {
            return chunk.setProblem("the output of this task is no longer kept").build();
        }
        task.age();
        byte[] all = task.output().getBytes(StandardCharsets.UTF_8);
        long asked =
                request.getOffset() < 0 ? all.length + request.getOffset() : request.getOffset();
        int from = Math.clamp(asked, 0, all.length);
        int length = Math.min(all.length - from, Math.max(0, request.getMaxBytes()));
        return chunk.setOffset(from)
                .setContent(ByteString.copyFrom(all, from, length))
                .setComplete(task.hasEnded() && from + length == all.length)
                .build();
    }

    @Override
    public void tidy() {
        var oldest = remembered.keySet().iterator();
        while (remembered.size() > MOST_REMEMBERED && oldest.hasNext()) {
            oldest.next();
            oldest.remove();
        }
    }
}
