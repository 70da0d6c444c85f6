package io.gpusched.wire.codec;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.ForeignTask;
import io.gpusched.wire.proto.JournalProto;

import java.time.Instant;
import java.util.ArrayList;

/// Converts events of agents, nodes and GPUs.
final class FleetEvents {
    private final NameInterner nameInterner;
    private final PlacementCodec places;
    private final NodeCodec nodes;

    FleetEvents(NameInterner nameInterner, PlacementCodec places) {
        this.nameInterner = nameInterner;
        this.places = places;
        this.nodes = new NodeCodec(nameInterner);
    }

    static JournalProto.AgentJoined encode(Event.AgentJoined e) {
        return JournalProto.AgentJoined.newBuilder().setAgent(NodeCodec.encode(e.agent())).build();
    }

    Event decode(Instant at, JournalProto.AgentJoined from) {
        return new Event.AgentJoined(at, nodes.decode(from.getAgent()));
    }

    static JournalProto.AgentLost encode(Event.AgentLost e) {
        return JournalProto.AgentLost.newBuilder().setAgent(e.agent().name()).build();
    }

    Event decode(Instant at, JournalProto.AgentLost from) {
        return new Event.AgentLost(at, nameInterner.agent(from.getAgent()));
    }

    static JournalProto.NodeJoined encode(Event.NodeJoined e) {
        return JournalProto.NodeJoined.newBuilder().setNode(NodeCodec.encode(e.node())).build();
    }

    Event decode(Instant at, JournalProto.NodeJoined from) {
        return new Event.NodeJoined(at, nodes.decode(from.getNode()));
    }

    static JournalProto.NodeChanged encode(Event.NodeChanged e) {
        return JournalProto.NodeChanged.newBuilder()
                .setNode(e.node().name())
                .setStatus(NodeCodec.encode(e.status()))
                .setReason(e.reason())
                .build();
    }

    Event decode(Instant at, JournalProto.NodeChanged from) {
        return new Event.NodeChanged(
                at,
                nameInterner.node(from.getNode()),
                NodeCodec.decode(from.getStatus()),
                from.getReason());
    }

    static JournalProto.NodeRemoved encode(Event.NodeRemoved e) {
        return JournalProto.NodeRemoved.newBuilder().setNode(e.node().name()).build();
    }

    Event decode(Instant at, JournalProto.NodeRemoved from) {
        return new Event.NodeRemoved(at, nameInterner.node(from.getNode()));
    }

    static JournalProto.GpuChanged encode(Event.GpuChanged e) {
        return JournalProto.GpuChanged.newBuilder()
                .setNode(e.node().name())
                .setGpu(e.gpu())
                .setCondition(NodeCodec.encode(e.condition()))
                .build();
    }

    Event decode(Instant at, JournalProto.GpuChanged from) {
        return new Event.GpuChanged(
                at,
                nameInterner.node(from.getNode()),
                from.getGpu(),
                NodeCodec.decode(from.getCondition()));
    }

    JournalProto.ForeignChanged encode(Event.ForeignChanged e) {
        var to = JournalProto.ForeignChanged.newBuilder().setNode(e.node().name());
        e.all().forEach(foreignTask -> to.addAll(places.encode(foreignTask)));
        return to.build();
    }

    Event decode(Instant at, JournalProto.ForeignChanged from) {
        var all = new ArrayList<ForeignTask>();
        from.getAllList().forEach(foreign -> all.add(places.decode(foreign)));
        return new Event.ForeignChanged(at, nameInterner.node(from.getNode()), all);
    }
}
