package io.gpusched.wire.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;

import io.gpusched.core.model.Avoidance;
import io.gpusched.core.model.CapacityRule;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Proximity;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Toleration;
import io.gpusched.wire.proto.ModelProto;

/// Converts roles, shapes and resource requests.
final class DemandCodec {
    private DemandCodec() {}

    static ByteString encode(SharedDemand sharedDemand) {
        var message =
                ModelProto.Demands.newBuilder()
                        .setLimitNanos(TimeCodec.nanos(sharedDemand.limit()))
                        .setOnLoss(encode(sharedDemand.onLoss()));
        sharedDemand.roles().forEach(role -> message.addRoles(encode(role)));
        sharedDemand
                .near()
                .forEach(
                        proximity ->
                                message.addNear(
                                        ModelProto.Near.newBuilder()
                                                .setLevel(proximity.level())
                                                .setRequired(proximity.required())));
        return message.build().toByteString();
    }

    static SharedDemand decode(ByteString bytes) {
        ModelProto.Demands message;
        try {
            message = ModelProto.Demands.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new UnreadableException("a job's demands cannot be read: " + e.getMessage(), e);
        }
        return new SharedDemand(
                message.getRolesList().stream().map(DemandCodec::decode).toList(),
                message.getNearList().stream()
                        .map(near -> new Proximity(near.getLevel(), near.getRequired()))
                        .toList(),
                TimeCodec.duration(message.getLimitNanos()),
                decode(message.getOnLoss()));
    }

    static ModelProto.Role encode(Role role) {
        return ModelProto.Role.newBuilder()
                .setName(role.name())
                .setShape(encode(role.shape()))
                .setMin(role.min())
                .setMax(role.max())
                .build();
    }

    static Role decode(ModelProto.Role message) {
        return new Role(
                message.getName(), decode(message.getShape()), message.getMin(), message.getMax());
    }

    private static ModelProto.Shape encode(Shape shape) {
        var message =
                ModelProto.Shape.newBuilder()
                        .setGpus(encode(shape.gpus()))
                        .setHost(encode(shape.host()));
        shape.models().forEach(model -> message.addModels(encode(model)));
        if (!shape.nodes().isEmpty()) {
            message.setNodes(LabelCodec.encode(shape.nodes()));
        }
        shape.requires()
                .any()
                .forEach(all -> message.addRequires(NodeRequirementCodec.encode(all)));
        for (Toleration toleration : shape.tolerates()) {
            message.addTolerates(
                    ModelProto.Toleration.newBuilder()
                            .setKey(toleration.key())
                            .setExists(toleration.exists())
                            .setValue(toleration.value())
                            .setEffect(toleration.effect()));
        }
        for (Avoidance one : shape.avoids()) {
            message.addAvoidsBuilder()
                    .setNode(one.node().name())
                    .setUntilMicros(TimeCodec.micros(one.until()))
                    .setWhy(one.why());
        }
        if (!shape.capacity().equals(CapacityRule.ANY)) {
            message.setCapacity(DeadlineCodec.encode(shape.capacity()));
        }
        return message.build();
    }

    private static Shape decode(ModelProto.Shape message) {
        return new Shape(
                decode(message.getGpus()),
                decode(message.getHost()),
                message.getModelsList().stream().map(DemandCodec::decode).toList(),
                LabelCodec.decode(message.getNodes()),
                NodeRequirementCodec.decode(message.getRequiresList()),
                message.getToleratesList().stream()
                        .map(
                                t ->
                                        new Toleration(
                                                t.getKey(),
                                                t.getExists(),
                                                t.getValue(),
                                                t.getEffect()))
                        .toList(),
                message.getAvoidsList().stream()
                        .map(
                                one ->
                                        new Avoidance(
                                                new NodeId(one.getNode()),
                                                TimeCodec.instant(one.getUntilMicros()),
                                                one.getWhy()))
                        .toList(),
                message.hasCapacity()
                        ? DeadlineCodec.decode(message.getCapacity())
                        : CapacityRule.ANY);
    }

    private static ModelProto.GpuRequest encode(GpuRequest request) {
        var message = ModelProto.GpuRequest.newBuilder();
        switch (request) {
            case GpuRequest.None _ ->
                    message.setNone(ModelProto.GpuRequest.None.getDefaultInstance());
            case GpuRequest.Whole whole ->
                    message.getWholeBuilder()
                            .setCount(whole.count())
                            .setMemoryMib(whole.memoryMiB())
                            .setLocality(encode(whole.locality()))
                            .setMinBandwidth(whole.minBandwidth());
            case GpuRequest.Slice slice ->
                    message.getSliceBuilder().setProfile(slice.profile()).setCount(slice.count());
            case GpuRequest.Share share ->
                    message.getShareBuilder()
                            .setMilli(share.milli())
                            .setMemoryMib(share.memoryMiB())
                            .setCount(share.count());
        }
        return message.build();
    }

    private static GpuRequest decode(ModelProto.GpuRequest message) {
        return switch (message.getKindCase()) {
            case NONE -> new GpuRequest.None();
            case WHOLE -> {
                var whole = message.getWhole();
                yield new GpuRequest.Whole(
                        whole.getCount(),
                        whole.getMemoryMib(),
                        decode(whole.getLocality()),
                        whole.getMinBandwidth());
            }
            case SLICE -> {
                var slice = message.getSlice();
                yield new GpuRequest.Slice(slice.getProfile(), slice.getCount());
            }
            case SHARE -> {
                var share = message.getShare();
                yield new GpuRequest.Share(
                        share.getMilli(), share.getMemoryMib(), share.getCount());
            }
            case KIND_NOT_SET -> throw UnreadableException.unknown("GPU request", "none");
        };
    }

    private static ModelProto.GpuRequest.Locality encode(Locality locality) {
        return switch (locality) {
            case ANY -> ModelProto.GpuRequest.Locality.ANY;
            case SAME_NODE -> ModelProto.GpuRequest.Locality.SAME_NODE;
            case SAME_SOCKET -> ModelProto.GpuRequest.Locality.SAME_SOCKET;
            case NVLINK -> ModelProto.GpuRequest.Locality.NVLINK;
        };
    }

    private static Locality decode(ModelProto.GpuRequest.Locality locality) {
        return switch (locality) {
            case ANY -> Locality.ANY;
            case SAME_NODE -> Locality.SAME_NODE;
            case SAME_SOCKET -> Locality.SAME_SOCKET;
            case NVLINK -> Locality.NVLINK;
            case UNSPECIFIED, UNRECOGNIZED ->
                    throw UnreadableException.unknown("locality", locality);
        };
    }

    static ModelProto.GpuModel encode(GpuModel model) {
        return ModelProto.GpuModel.newBuilder()
                .setFamily(model.family())
                .setMemoryMib(model.memoryMiB())
                .build();
    }

    static GpuModel decode(ModelProto.GpuModel message) {
        return new GpuModel(message.getFamily(), message.getMemoryMib());
    }

    static ModelProto.Resources encode(Resources resources) {
        return ModelProto.Resources.newBuilder()
                .setMilliCpu(resources.milliCpu())
                .setMemoryMib(resources.memoryMiB())
                .build();
    }

    static Resources decode(ModelProto.Resources message) {
        return new Resources(message.getMilliCpu(), message.getMemoryMib());
    }

    private static ModelProto.Interruption encode(Interruption interruption) {
        return ModelProto.Interruption.newBuilder()
                .setGraceNanos(TimeCodec.nanos(interruption.grace()))
                .setCheckpoints(interruption.checkpoints())
                .setRequeue(interruption.requeue())
                .build();
    }

    private static Interruption decode(ModelProto.Interruption message) {
        var interruption =
                new Interruption(
                        TimeCodec.duration(message.getGraceNanos()),
                        message.getCheckpoints(),
                        message.getRequeue());
        return interruption.equals(Interruption.DEFAULT) ? Interruption.DEFAULT : interruption;
    }
}
