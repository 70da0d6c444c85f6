package io.gpusched.core.kit;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.KnownTopologies;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Taint;
import io.gpusched.core.model.Topology;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A node in which only what a test cares about needs to be said: what it has and, for a
/// [TestCluster], how its GPUs are doing and which jobs run on it.
///
///     aNode("n1")   aNode("4×A100")   aNode("n1: 4×A100-80GB").hot(2).busy(0)
public final class NodeBuilder {
    private static final Pattern TEXT = Pattern.compile("(?:(.+): *)?([0-9]+)×(.+)");

    /// A job that runs on the node, and the GPUs it holds there.
    record Resident(JobBuilder job, String gpus) {}

    private final String name;
    private String agent = "agent";
    private int gpus = 8;
    private GpuModel model = GpuModel.parse("A100-80GB");
    private long cores = 64;
    private long memoryMiB = 512 * 1024;
    private Labels labels = Labels.NONE;
    private boolean wired;
    private NodeStatus status = NodeStatus.READY;
    private final List<GpuModel> more = new ArrayList<>();
    private final List<Taint> taints = new ArrayList<>();
    private final Map<Integer, GpuCondition> conditions = new LinkedHashMap<>();
    private final List<Resident> residents = new ArrayList<>();

    private NodeBuilder(String name) {
        this.name = name;
    }

    /// @param text a name, or GPUs with or without a name before them: `n1: 4×A100`
    public static NodeBuilder aNode(String text) {
        Matcher found = TEXT.matcher(text);
        if (!found.matches()) {
            return new NodeBuilder(text);
        }
        String name = found.group(1);
        return new NodeBuilder(name == null ? "n1" : name)
                .gpus(Integer.parseInt(found.group(2)))
                .model(found.group(3));
    }

    public NodeBuilder agent(String value) {
        agent = value;
        return this;
    }

    public NodeBuilder gpus(int value) {
        gpus = value;
        return this;
    }

    public NodeBuilder model(String value) {
        model = GpuModel.parse(value);
        return this;
    }

    /// More GPUs, of another model, after those of [#model].
    public NodeBuilder and(int count, String other) {
        for (int i = 0; i < count; i++) {
            more.add(GpuModel.parse(other));
        }
        return this;
    }

    public NodeBuilder cores(long value) {
        cores = value;
        return this;
    }

    public NodeBuilder memoryMiB(long value) {
        memoryMiB = value;
        return this;
    }

    /// Connected as such machines usually are.
    public NodeBuilder wired() {
        wired = true;
        return this;
    }

    public NodeBuilder label(String key, String value) {
        labels = labels.with(key, value);
        return this;
    }

    public NodeBuilder taint(String key) {
        return taint(key, "NoSchedule");
    }

    public NodeBuilder taint(String key, String effect) {
        taints.add(new Taint(key, "yes", effect));
        return this;
    }

    public NodeBuilder hot(int... indices) {
        return condition(new GpuCondition(Heat.HOT, true, ""), indices);
    }

    public NodeBuilder warm(int... indices) {
        return condition(new GpuCondition(Heat.WARM, true, ""), indices);
    }

    /// These GPUs must not be used.
    public NodeBuilder unfit(int... indices) {
        return condition(new GpuCondition(Heat.COOL, false, "broken"), indices);
    }

    private NodeBuilder condition(GpuCondition condition, int... indices) {
        for (int gpu : indices) {
            conditions.put(gpu, condition);
        }
        return this;
    }

    /// One job runs on each of these GPUs and uses nothing else of the node.
    public NodeBuilder busy(int... indices) {
        for (int gpu : indices) {
            running(JobBuilder.aJob().cores(0), String.valueOf(gpu));
        }
        return this;
    }

    /// The job runs here.
    ///
    /// @param on its GPUs, `0-3,6`; of slices, `0:3g.20gb@4`; empty for a job without GPUs
    public NodeBuilder running(JobBuilder job, String on) {
        residents.add(new Resident(job, on));
        return this;
    }

    public NodeBuilder status(NodeStatus value) {
        status = value;
        return this;
    }

    NodeId id() {
        return new NodeId(name);
    }

    List<Resident> residents() {
        return residents;
    }

    /// What is to be said of the node after it joined.
    List<Event> changes(Instant now) {
        var events = new ArrayList<Event>();
        conditions.forEach(
                (gpu, condition) -> events.add(new Event.GpuChanged(now, id(), gpu, condition)));
        if (!status.equals(NodeStatus.READY)) {
            events.add(new Event.NodeChanged(now, id(), status, "test"));
        }
        return events;
    }

    public Node build() {
        var all = new ArrayList<Gpu>();
        for (int i = 0; i < gpus + more.size(); i++) {
            GpuModel each = i < gpus ? model : more.get(i - gpus);
            all.add(new Gpu(i, each, each.memoryMiB(), name + "-" + i));
        }
        return new Node(
                new NodeId(name),
                new AgentId(agent),
                "127.0.0.1",
                all,
                wired ? KnownTopologies.usual(all) : Topology.FLAT,
                Resources.cores(cores, memoryMiB),
                taints,
                labels);
    }
}
