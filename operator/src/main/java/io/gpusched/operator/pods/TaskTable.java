package io.gpusched.operator.pods;

import io.gpusched.agent.task.HostChanges;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The tasks of a host by everything by which they are looked up. [PodHost] guards it; only
/// [#isCounted] may be asked by any thread.
final class TaskTable {
    private final Map<TaskRef, PodTask> tasks = new LinkedHashMap<>();
    private final Map<String, PodTask> byPod = new HashMap<>();
    private final Map<String, Set<PodTask>> byNode = new HashMap<>();
    private final Map<PodTask.Run, Set<PodTask>> byRun = new HashMap<>();

    /// UIDs of the pods of tasks that are not over.
    private final Set<String> counted = ConcurrentHashMap.newKeySet();

    /// What changed since the agent asked last.
    private final Map<TaskRef, TaskReport> changed = new LinkedHashMap<>();

    private final Set<TaskRef> gone = new LinkedHashSet<>();

    /// The report of the task has changed.
    void changed(PodTask task) {
        changed.put(task.ref(), task.report());
    }

    HostChanges takeChanges() {
        var changes =
                new HostChanges(false, List.copyOf(changed.values()), List.copyOf(gone), List.of());
        changed.clear();
        gone.clear();
        return changes;
    }

    @Nullable PodTask find(TaskRef ref) {
        return tasks.get(ref);
    }

    /// The task that a pod is; null if it is none.
    @Nullable PodTask ofPod(String uid) {
        return byPod.get(uid);
    }

    Set<PodTask> on(String node) {
        return byNode.getOrDefault(node, Set.of());
    }

    /// All known tasks of the run of which this is one.
    Set<PodTask> run(PodTask task) {
        return byRun.getOrDefault(task.run(), Set.of());
    }

    Collection<PodTask> all() {
        return tasks.values();
    }

    int size() {
        return tasks.size();
    }

    /// Whether the pod is a task that is not over.
    boolean isCounted(String uid) {
        return counted.contains(uid);
    }

    void add(PodTask task) {
        tasks.put(task.ref(), task);
        byPod.put(task.pod.uid(), task);
        byNode.computeIfAbsent(task.node, _ -> new HashSet<>()).add(task);
        byRun.computeIfAbsent(task.run(), _ -> new HashSet<>()).add(task);
        counted.add(task.pod.uid());
        gone.remove(task.ref());
        changed(task);
    }

    /// The task is over: others may use what it had.
    void release(PodTask task) {
        counted.remove(task.pod.uid());
    }

    /// @return whether it was the last known task of its run
    boolean remove(PodTask task) {
        tasks.remove(task.ref());
        changed.remove(task.ref());
        gone.add(task.ref());
        if (byPod.remove(task.pod.uid(), task)) {
            counted.remove(task.pod.uid());
        }
        boolean _ = removeFrom(byNode, task.node, task);
        return removeFrom(byRun, task.run(), task);
    }

    /// @return whether it was the last one under this key
    private static <K> boolean removeFrom(Map<K, Set<PodTask>> map, K key, PodTask task) {
        Set<PodTask> those = map.get(key);
        if (those == null) {
            return false;
        }
        those.remove(task);
        if (those.isEmpty()) {
            map.remove(key);
        }
        return those.isEmpty();
    }
}
