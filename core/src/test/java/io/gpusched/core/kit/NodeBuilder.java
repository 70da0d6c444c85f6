package io.gpusched.core.kit;

import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.KnownTopologies;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Taint;
import io.gpusched.core.model.Topology;

import java.util.ArrayList;
import java.util.List;

/// A node in which only what a test cares about needs to be said.
public final class NodeBuilder {
    private final String name;
    private String agent = "agent";
    private int gpus = 8;
    private GpuModel model = GpuModel.parse("A100-80GB");
    private long cores = 64;
    private long memoryMiB = 512 * 1024;
    private Labels labels = Labels.NONE;
    private boolean wired;
    private final List<Taint> taints = new ArrayList<>();

    private NodeBuilder(String name) {
        this.name = name;
    }

    public static NodeBuilder aNode(String name) {
        return new NodeBuilder(name);
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

    public Node build() {
        var all = new ArrayList<Gpu>();
        for (int i = 0; i < gpus; i++) {
            all.add(new Gpu(i, model, model.memoryMiB(), name + "-" + i));
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
