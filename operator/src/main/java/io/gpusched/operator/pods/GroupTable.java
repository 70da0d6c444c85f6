package io.gpusched.operator.pods;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// All pods of our scheduler that matter for the queue, by the group that they are in. A pod of no
/// group is a group of its own.
final class GroupTable {
    private final Map<String, Map<String, QueuedPod>> groups = new HashMap<>();
    private final Map<String, String> groupOf = new HashMap<>();

    /// @return the group to plan again, and the one that the pod was in before if that is another
    List<String> put(QueuedPod pod) {
        String uid = pod.key().uid();
        GroupRef group = pod.group();
        String key = group == null ? uid : group.key();
        String before = groupOf.put(uid, key);
        if (before != null && !before.equals(key)) {
            take(before, uid);
        }
        groups.computeIfAbsent(key, _ -> new LinkedHashMap<>()).put(uid, pod);
        return before == null || before.equals(key) ? List.of(key) : List.of(before, key);
    }

    /// @return the group to plan again; empty if the pod was in none
    List<String> remove(String uid) {
        String key = groupOf.remove(uid);
        if (key == null) {
            return List.of();
        }
        take(key, uid);
        return List.of(key);
    }

    private void take(String key, String uid) {
        Map<String, QueuedPod> pods = groups.getOrDefault(key, new HashMap<>());
        pods.remove(uid);
        if (pods.isEmpty()) {
            groups.remove(key);
        }
    }

    Collection<QueuedPod> pods(String group) {
        return groups.getOrDefault(group, Map.of()).values();
    }

    /// The group of a pod; empty if it is in none.
    String groupOf(String uid) {
        return groupOf.getOrDefault(uid, "");
    }

    int size() {
        return groupOf.size();
    }
}
