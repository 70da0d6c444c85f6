package io.gpusched.wire.codec;

import com.google.protobuf.InvalidProtocolBufferException;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.RefusedStart;
import io.gpusched.core.nodes.NodeImage;
import io.gpusched.core.tenants.DecayedUsage;
import io.gpusched.core.tenants.TenantImage;
import io.gpusched.core.tenants.TenantTotals;
import io.gpusched.wire.proto.ImageProto;

/// Converts tenants and nodes with their current state, for snapshots and for the tables of the
/// store. Any thread may use it.
public final class ImageCodec {
    private final PlacementCodec places;
    private final NodeCodec nodes;
    private final TenantCodec tenants;

    ImageCodec(PlacementCodec places, NodeCodec nodes, TenantCodec tenants) {
        this.places = places;
        this.nodes = nodes;
        this.tenants = tenants;
    }

    public static ImageCodec create() {
        var nameInterner = new NameInterner();
        return new ImageCodec(
                new PlacementCodec(nameInterner),
                new NodeCodec(nameInterner),
                new TenantCodec(nameInterner));
    }

    public byte[] encode(TenantImage tenant) {
        return message(tenant).toByteArray();
    }

    public byte[] encode(NodeImage node) {
        return message(node).toByteArray();
    }

    /// Throws [UnreadableException] for anything that [#encode] did not write.
    public TenantImage tenant(byte[] bytes) {
        try {
            return decode(ImageProto.TenantImage.parseFrom(bytes));
        } catch (InvalidProtocolBufferException | Check.Broken e) {
            throw new UnreadableException("a tenant cannot be read: " + e.getMessage(), e);
        }
    }

    /// Throws [UnreadableException] for anything that [#encode] did not write.
    public NodeImage node(byte[] bytes) {
        try {
            return decode(ImageProto.NodeImage.parseFrom(bytes));
        } catch (InvalidProtocolBufferException | Check.Broken e) {
            throw new UnreadableException("a node cannot be read: " + e.getMessage(), e);
        }
    }

    static ImageProto.TenantImage message(TenantImage tenant) {
        return ImageProto.TenantImage.newBuilder()
                .setTenant(TenantCodec.encode(tenant.tenant()))
                .setJobs(tenant.totals().jobs())
                .setCompleted(tenant.totals().completed())
                .setFailed(tenant.totals().failed())
                .setGpuMillis(tenant.totals().gpuMillis())
                .setLately(message(tenant.lately()))
                .setOwnLately(message(tenant.ownLately()))
                .setLatelyAtMicros(TimeCodec.micros(tenant.latelyAt()))
                .build();
    }

    TenantImage decode(ImageProto.TenantImage message) {
        return new TenantImage(
                tenants.decode(message.getTenant()),
                new TenantTotals(
                        message.getJobs(),
                        message.getCompleted(),
                        message.getFailed(),
                        message.getGpuMillis()),
                decode(message.getLately()),
                decode(message.getOwnLately()),
                TimeCodec.instant(message.getLatelyAtMicros()));
    }

    private static ImageProto.UsedLately message(DecayedUsage lately) {
        return ImageProto.UsedLately.newBuilder()
                .setMilliGpus(lately.milliGpus())
                .setMilliCpu(lately.milliCpu())
                .setMemoryMib(lately.memoryMiB())
                .build();
    }

    private static DecayedUsage decode(ImageProto.UsedLately message) {
        return new DecayedUsage(
                message.getMilliGpus(), message.getMilliCpu(), message.getMemoryMib());
    }

    ImageProto.NodeImage message(NodeImage node) {
        var message =
                ImageProto.NodeImage.newBuilder()
                        .setNode(NodeCodec.encode(node.node()))
                        .setStatus(NodeCodec.encode(node.status()));
        for (GpuCondition condition : node.conditions()) {
            message.addConditions(NodeCodec.encode(condition));
        }
        node.foreign().forEach(foreignUsage -> message.addForeign(places.encode(foreignUsage)));
        for (RefusedStart one : node.refusals()) {
            message.addRefusalsBuilder()
                    .setJob(one.job().number())
                    .setAtMicros(TimeCodec.micros(one.at()));
        }
        return message.build();
    }

    NodeImage decode(ImageProto.NodeImage message) {
        return new NodeImage(
                nodes.decode(message.getNode()),
                NodeCodec.decode(message.getStatus()),
                message.getConditionsList().stream().map(NodeCodec::decode).toList(),
                message.getForeignList().stream().map(places::decode).toList(),
                message.getRefusalsList().stream().map(ImageCodec::decode).toList());
    }

    private static RefusedStart decode(ImageProto.RefusedStart message) {
        return new RefusedStart(
                new JobId(message.getJob()), TimeCodec.instant(message.getAtMicros()));
    }
}
