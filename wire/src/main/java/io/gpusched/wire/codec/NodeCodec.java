package io.gpusched.wire.codec;

import io.gpusched.core.model.Agent;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.Link;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeClosure;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Taint;
import io.gpusched.core.model.Topology;
import io.gpusched.wire.proto.ModelProto;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Converts agents, their nodes and the health of the nodes.
final class NodeCodec {
    /// Topologies are interned, because most nodes have the same one.
    private static final Interner<Topology, Topology> TOPOLOGIES = Interner.ofEqual(256);

    private final NameInterner nameInterner;

    NodeCodec(NameInterner nameInterner) {
        this.nameInterner = nameInterner;
    }

    static ModelProto.Agent encode(Agent agent) {
        return ModelProto.Agent.newBuilder()
                .setId(agent.id().name())
                .setCustody(
                        switch (agent.custody()) {
                            case SELF_FENCING -> ModelProto.Agent.Custody.SELF_FENCING;
                            case EXTERNAL -> ModelProto.Agent.Custody.EXTERNAL;
                        })
                .setInFlight(agent.inFlight())
                .setInstance(agent.instance())
                .setStartTimeoutNanos(TimeCodec.nanos(agent.startTimeout()))
                .build();
    }

    Agent decode(ModelProto.Agent message) {
        var custody = message.getCustody();
        return new Agent(
                nameInterner.agent(message.getId()),
                switch (custody) {
                    case SELF_FENCING -> Agent.Custody.SELF_FENCING;
                    case EXTERNAL -> Agent.Custody.EXTERNAL;
                    case UNSPECIFIED, UNRECOGNIZED ->
                            throw UnreadableException.unknown("custody", custody);
                },
                message.getInFlight(),
                message.getInstance(),
                TimeCodec.duration(message.getStartTimeoutNanos()));
    }

    static ModelProto.Node encode(Node node) {
        var message =
                ModelProto.Node.newBuilder()
                        .setId(node.id().name())
                        .setAgent(node.agent().name())
                        .setAddress(node.address())
                        .setTopology(encode(node.topology()))
                        .setHost(DemandCodec.encode(node.host()))
                        .setLabels(LabelCodec.encode(node.labels()));
        for (Gpu gpu : node.gpus()) {
            message.addGpusBuilder()
                    .setModel(DemandCodec.encode(gpu.model()))
                    .setMemoryMib(gpu.memoryMiB())
                    .setUuid(gpu.uuid());
        }
        for (Taint taint : node.taints()) {
            message.addTaintsBuilder()
                    .setKey(taint.key())
                    .setValue(taint.value())
                    .setEffect(taint.effect());
        }
        return message.build();
    }

    Node decode(ModelProto.Node message) {
        var gpus = new ArrayList<Gpu>(message.getGpusCount());
        for (var gpu : message.getGpusList()) {
            gpus.add(
                    new Gpu(
                            gpus.size(),
                            DemandCodec.decode(gpu.getModel()),
                            gpu.getMemoryMib(),
                            gpu.getUuid()));
        }
        return new Node(
                nameInterner.node(message.getId()),
                nameInterner.agent(message.getAgent()),
                message.getAddress(),
                gpus,
                decode(message.getTopology()),
                DemandCodec.decode(message.getHost()),
                message.getTaintsList().stream()
                        .map(t -> new Taint(t.getKey(), t.getValue(), t.getEffect()))
                        .toList(),
                LabelCodec.decode(message.getLabels()));
    }

    private static ModelProto.Topology encode(Topology topology) {
        var message = ModelProto.Topology.newBuilder();
        int size = topology.size();
        if (topology.hasSockets()) {
            message.addAllSockets(topology.sockets());
        }
        boolean linked = false;
        for (int a = 0; a < size; a++) {
            var row = message.addNvlinksBuilder();
            for (int b = 0; b < size; b++) {
                row.addCounts(topology.nvlinks(a, b));
                linked |= topology.link(a, b) != Link.UNKNOWN;
            }
        }
        for (int pair = 0; linked && pair < size * size; pair++) {
            message.addLinks(encode(topology.link(pair / size, pair % size)));
        }
        return message.build();
    }

    /// Old journals have sockets only, or no links, and unchecked values of old agents. An
    /// impossible topology is read as unknown.
    private static Topology decode(ModelProto.Topology message) {
        if (message.getSocketsCount() == 0 && message.getNvlinksCount() == 0) {
            return Topology.FLAT;
        }
        int size = message.getNvlinksCount();
        if (message.getLinksCount() != 0 && message.getLinksCount() != size * size) {
            throw UnreadableException.unknown("topology", message.getLinksCount() + " links");
        }
        var links = new ArrayList<List<Link>>();
        for (int at = 0; at < message.getLinksCount(); at += size) {
            links.add(
                    message.getLinksList().subList(at, at + size).stream()
                            .map(NodeCodec::decode)
                            .toList());
        }
        var nvlinks =
                message.getNvlinksList().stream()
                        .map(ModelProto.Topology.Links::getCountsList)
                        .toList();
        try {
            return TOPOLOGIES.of(Topology.of(message.getSocketsList(), nvlinks, links));
        } catch (Check.Broken impossible) {
            return Topology.FLAT;
        }
    }

    private static ModelProto.Topology.Link encode(Link link) {
        return switch (link) {
            case UNKNOWN -> ModelProto.Topology.Link.UNKNOWN;
            case SYS -> ModelProto.Topology.Link.SYS;
            case NODE -> ModelProto.Topology.Link.NODE;
            case PHB -> ModelProto.Topology.Link.PHB;
            case PXB -> ModelProto.Topology.Link.PXB;
            case PIX -> ModelProto.Topology.Link.PIX;
            case BOARD -> ModelProto.Topology.Link.BOARD;
        };
    }

    private static Link decode(ModelProto.Topology.Link link) {
        return switch (link) {
            case SYS -> Link.SYS;
            case NODE -> Link.NODE;
            case PHB -> Link.PHB;
            case PXB -> Link.PXB;
            case PIX -> Link.PIX;
            case BOARD -> Link.BOARD;
            case UNKNOWN, UNRECOGNIZED -> Link.UNKNOWN;
        };
    }

    static ModelProto.NodeStatus encode(NodeStatus status) {
        var message =
                ModelProto.NodeStatus.newBuilder()
                        .setCordoned(status.cordoned())
                        .setDraining(status.draining())
                        .setReach(
                                switch (status.reach()) {
                                    case UP -> ModelProto.NodeStatus.Reach.UP;
                                    case UNREACHABLE -> ModelProto.NodeStatus.Reach.UNREACHABLE;
                                    case LOST -> ModelProto.NodeStatus.Reach.LOST;
                                });
        if (!status.nodeClosure().equals(NodeClosure.NONE)) {
            var closure =
                    message.getClosureBuilder()
                            .setBy(status.nodeClosure().by())
                            .setWhy(status.nodeClosure().why());
            Instant stopAt = status.nodeClosure().stopAt();
            if (stopAt != null) {
                closure.setStopAtMicros(TimeCodec.micros(stopAt));
            }
        }
        return message.build();
    }

    static NodeStatus decode(ModelProto.NodeStatus message) {
        var reach = message.getReach();
        return new NodeStatus(
                message.getCordoned(),
                message.getDraining(),
                switch (reach) {
                    case UP -> NodeStatus.Reach.UP;
                    case UNREACHABLE -> NodeStatus.Reach.UNREACHABLE;
                    case LOST -> NodeStatus.Reach.LOST;
                    case UNSPECIFIED, UNRECOGNIZED ->
                            throw UnreadableException.unknown("reach", reach);
                },
                message.hasClosure() ? decode(message.getClosure()) : NodeClosure.NONE);
    }

    private static NodeClosure decode(ModelProto.NodeStatus.Closure message) {
        return new NodeClosure(
                message.getBy(),
                message.getWhy(),
                message.hasStopAtMicros() ? TimeCodec.instant(message.getStopAtMicros()) : null);
    }

    static ModelProto.GpuCondition encode(GpuCondition condition) {
        return ModelProto.GpuCondition.newBuilder()
                .setHeat(
                        switch (condition.heat()) {
                            case COOL -> ModelProto.GpuCondition.Heat.COOL;
                            case WARM -> ModelProto.GpuCondition.Heat.WARM;
                            case HOT -> ModelProto.GpuCondition.Heat.HOT;
                        })
                .setFit(condition.fit())
                .setReason(condition.reason())
                .build();
    }

    static GpuCondition decode(ModelProto.GpuCondition message) {
        var heat = message.getHeat();
        return new GpuCondition(
                switch (heat) {
                    case COOL -> Heat.COOL;
                    case WARM -> Heat.WARM;
                    case HOT -> Heat.HOT;
                    case UNSPECIFIED, UNRECOGNIZED ->
                            throw UnreadableException.unknown("heat", heat);
                },
                message.getFit(),
                message.getReason());
    }
}
