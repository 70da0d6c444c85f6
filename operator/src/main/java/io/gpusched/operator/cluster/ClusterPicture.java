package io.gpusched.operator.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import io.gpusched.wire.proto.agent.ForeignTask;
import io.gpusched.wire.proto.agent.ForeignUse;
import io.gpusched.wire.proto.agent.NodeFacts;
import io.gpusched.wire.proto.agent.NodesChanged;
import io.gpusched.wire.proto.agent.SliceCount;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/// The nodes of a cluster and what runs on them, as the scheduler is told: facts of every node, and
/// the use of it by pods that are no tasks of ours. It collects changes, so that a change costs the
/// same in a small cluster and in a large one.
///
/// Pods that take GPUs are told one by one, all others of a node as one sum: only the former are
/// worth an explanation, and a node may have a hundred of the latter.
///
/// Any thread may use it.
public final class ClusterPicture {
    private static final Logger log = LoggerFactory.getLogger(ClusterPicture.class);

    /// Some hundred kilobytes: a message must not be larger than the scheduler takes.
    private static final int NODES_OF_MESSAGE = 500;

    private final NodeLabels nodeLabels;
    private final NodeDescription description;
    private final Predicate<String> isTask;

    private final Map<String, Place> places = new TreeMap<>();
    private final Map<String, PodUse> pods = new HashMap<>();
    private final Set<String> described = new LinkedHashSet<>();
    private final Set<String> gone = new LinkedHashSet<>();
    private final Set<String> used = new LinkedHashSet<>();

    private volatile Runnable changed = () -> {};

    /// One node. It has pods before it is described when a pod is read first.
    private static final class Place {
        private JsonNode node = MissingNode.getInstance();
        private NodeFacts facts = NodeFacts.getDefaultInstance();
        private PodResources offered = PodResources.NONE;
        private String problem = "";
        private final Map<String, PodUse> uses = new LinkedHashMap<>();

        private boolean isKnown() {
            return !facts.getNodeId().isEmpty();
        }
    }

    /// @param isTask whether the pod with this UID is a task that the scheduler started, which it
    ///        counts by itself
    public ClusterPicture(NodeLabels nodeLabels, Predicate<String> isTask) {
        this.nodeLabels = nodeLabels;
        this.description = new NodeDescription(nodeLabels);
        this.isTask = isTask;
    }

    /// A node is there, or has changed. One that cannot be read keeps its earlier facts.
    public synchronized void put(JsonNode node) {
        String name = node.path("metadata").path("name").asText();
        Place place = places.computeIfAbsent(name, _ -> new Place());
        try {
            NodeFacts facts = description.facts(node);
            String problem = NodeDescription.problem(node);
            if (!problem.isEmpty() && !problem.equals(place.problem)) {
                log.warn("{}", problem);
            }
            place.problem = problem;
            place.node = node;
            place.offered = PodResources.allocatable(node);
            gone.remove(name);
            if (!facts.equals(place.facts)) {
                place.facts = facts;
                described.add(name);
                used.add(name);
                changed.run();
            }
        } catch (IllegalArgumentException e) {
            log.warn("node {} cannot be read and is told as it was before: {}", name, e.toString());
        }
    }

    public synchronized void remove(String name) {
        Place place = places.get(name);
        if (place == null || !place.isKnown()) {
            return;
        }
        place.facts = NodeFacts.getDefaultInstance();
        place.offered = PodResources.NONE;
        if (place.uses.isEmpty()) {
            places.remove(name);
        }
        described.remove(name);
        used.remove(name);
        gone.add(name);
        changed.run();
    }

    /// Has these labels told too, if nodes have them.
    public synchronized void tellLabels(List<String> keys) {
        if (nodeLabels.name(keys)) {
            List.copyOf(places.values()).stream().filter(Place::isKnown).forEach(p -> put(p.node));
        }
    }

    /// A pod is there, or has changed.
    public synchronized void putPod(JsonNode pod) {
        String uid = pod.path("metadata").path("uid").asText();
        if (!PodUse.counts(pod)) {
            removePod(uid);
            return;
        }
        try {
            PodUse use = PodUse.of(pod);
            PodUse before = pods.put(uid, use);
            if (before == null || !before.equals(use)) {
                take(before);
                places.computeIfAbsent(use.node(), _ -> new Place()).uses.put(uid, use);
                use(use.node());
            }
        } catch (IllegalArgumentException e) {
            log.warn("pod {} cannot be read and does not count: {}", uid, e.toString());
        }
    }

    public synchronized void removePod(String uid) {
        take(pods.remove(uid));
    }

    /// The pod became a task of ours, or ceased to be one.
    public synchronized void changeOwner(String uid) {
        PodUse use = pods.get(uid);
        if (use != null) {
            use(use.node());
        }
    }

    private void use(String node) {
        if (used.add(node)) {
            changed.run();
        }
    }

    private void take(@Nullable PodUse use) {
        Place place = use == null ? null : places.get(use.node());
        if (use != null && place != null) {
            place.uses.remove(use.uid());
            use(use.node());
            if (place.uses.isEmpty() && !place.isKnown()) {
                places.remove(use.node());
            }
        }
    }

    /// Calls `whenChanged`, from any thread, when [#changes] may have a new answer.
    public void watch(Runnable whenChanged) {
        changed = whenChanged;
    }

    /// What changed since the last call, or since [#everything].
    public synchronized NodesChanged changes() {
        var changes = NodesChanged.newBuilder();
        for (String name : described) {
            changes.addDescribed(place(name).facts);
        }
        changes.addAllGone(gone);
        for (String name : used) {
            Place place = places.get(name);
            if (place != null && place.isKnown()) {
                changes.addForeign(foreign(name, place));
            }
        }
        described.clear();
        gone.clear();
        used.clear();
        return changes.build();
    }

    /// All nodes and the foreign use of them, also where there is none: the scheduler may remember
    /// an earlier one. In several messages, of which the last says that these are all.
    public synchronized List<NodesChanged> everything() {
        described.clear();
        gone.clear();
        used.clear();
        var messages = new ArrayList<NodesChanged>();
        var message = NodesChanged.newBuilder();
        for (var each : places.entrySet()) {
            if (each.getValue().isKnown()) {
                message.addDescribed(each.getValue().facts);
                message.addForeign(foreign(each.getKey(), each.getValue()));
                if (message.getDescribedCount() == NODES_OF_MESSAGE) {
                    messages.add(message.build());
                    message.clear();
                }
            }
        }
        messages.add(message.setComplete(true).build());
        return messages;
    }

    /// Why the node has no room for the pod at this moment; empty if it has. The scheduler has
    /// decided by what it was told; the newest state may differ, and it has resources that the
    /// scheduler does not count.
    public synchronized String shortage(String name, String uid, PodResources wanted) {
        Place place = places.get(name);
        if (place == null || !place.isKnown()) {
            return "node " + name + " is gone";
        }
        Map<String, Long> sum = new HashMap<>();
        for (PodUse use : place.uses.values()) {
            if (!use.uid().equals(uid)) {
                use.resources().amounts().forEach((what, much) -> sum.merge(what, much, Long::sum));
                sum.merge(PodResources.PODS, 1L, Long::sum);
            }
        }
        for (var each : wanted.amounts().entrySet()) {
            long free = place.offered.of(each.getKey()) - sum.getOrDefault(each.getKey(), 0L);
            if (each.getValue() > 0 && each.getValue() > free) {
                return "node %s has %d of %s left, and the pod asks for %d"
                        .formatted(name, Math.max(0, free), each.getKey(), each.getValue());
            }
        }
        boolean limited = place.offered.amounts().containsKey(PodResources.PODS);
        long pods = sum.getOrDefault(PodResources.PODS, 0L);
        return limited && pods + 1 > place.offered.of(PodResources.PODS)
                ? "node %s has %d pods, as many as it may have".formatted(name, pods)
                : "";
    }

    private Place place(String name) {
        return Objects.requireNonNull(places.get(name));
    }

    private ForeignUse foreign(String name, Place place) {
        var use = ForeignUse.newBuilder().setNodeId(name);
        PodResources others = PodResources.NONE;
        int count = 0;
        for (PodUse pod : place.uses.values()) {
            if (isTask.test(pod.uid())) {
                continue;
            }
            if (pod.resources().gpus() > 0 || !pod.resources().slices().isEmpty()) {
                use.addTasks(task(pod.name(), pod.resources()));
            } else {
                others = others.plus(pod.resources());
                count++;
            }
        }
        if (count > 0) {
            use.addTasks(task(count == 1 ? "1 other pod" : count + " other pods", others));
        }
        return use.build();
    }

    private static ForeignTask task(String id, PodResources resources) {
        var slices = new ArrayList<SliceCount>();
        resources
                .slices()
                .forEach(
                        (profile, count) ->
                                slices.add(
                                        SliceCount.newBuilder()
                                                .setProfile(profile)
                                                .setCount(count)
                                                .build()));
        return ForeignTask.newBuilder()
                .setId(id)
                .setMilliCpu(resources.milliCpu())
                .setMemoryMb(resources.memoryMiB())
                .setGpus(resources.gpus())
                .addAllSlices(slices)
                .build();
    }
}
