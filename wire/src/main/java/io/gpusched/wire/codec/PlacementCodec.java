package io.gpusched.wire.codec;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.ClaimId;
import io.gpusched.core.model.ForeignTask;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.MigSlot;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.SliceCount;
import io.gpusched.core.model.Slot;
import io.gpusched.wire.proto.ModelProto;

import java.util.ArrayList;
import java.util.List;

/// Converts slots, grants and claims.
final class PlacementCodec {
    private final NameInterner nameInterner;

    PlacementCodec(NameInterner nameInterner) {
        this.nameInterner = nameInterner;
    }

    ModelProto.Placement encode(Placement placement) {
        var message = ModelProto.Placement.newBuilder();
        placement.slots().forEach(slot -> message.addSlots(encode(slot)));
        return message.build();
    }

    Placement decode(ModelProto.Placement message) {
        return new Placement(slots(message.getSlotsList()));
    }

    private List<Slot> slots(List<ModelProto.Slot> messages) {
        var slots = new ArrayList<Slot>(messages.size());
        messages.forEach(message -> slots.add(decode(message)));
        return slots;
    }

    private ModelProto.Slot encode(Slot slot) {
        return ModelProto.Slot.newBuilder()
                .setNode(slot.node().name())
                .setRole(slot.role())
                .setRank(slot.rank())
                .setGrant(encode(slot.grant()))
                .setHost(DemandCodec.encode(slot.host()))
                .build();
    }

    private Slot decode(ModelProto.Slot message) {
        return new Slot(
                nameInterner.node(message.getNode()),
                message.getRole(),
                message.getRank(),
                decode(message.getGrant()),
                DemandCodec.decode(message.getHost()));
    }

    private static ModelProto.Grant encode(Grant grant) {
        var message = ModelProto.Grant.newBuilder();
        switch (grant) {
            case Grant.None _ -> message.setNone(ModelProto.Grant.None.getDefaultInstance());
            case Grant.Whole whole -> message.getWholeBuilder().setGpus(whole.gpus());
            case Grant.Counted counted -> message.getCountedBuilder().setCount(counted.count());
            case Grant.Slices slices -> {
                var at = message.getSlicesBuilder();
                for (MigSlot slot : slices.at()) {
                    at.addAtBuilder()
                            .setGpu(slot.gpu())
                            .setFirst(slot.first())
                            .setSize(slot.size())
                            .setProfile(slot.profile());
                }
            }
            case Grant.Shares shares ->
                    message.getSharesBuilder()
                            .setGpus(shares.gpus())
                            .setMilli(shares.milli())
                            .setMemoryMib(shares.memoryMiB());
        }
        return message.build();
    }

    private static Grant decode(ModelProto.Grant message) {
        return switch (message.getKindCase()) {
            case NONE -> new Grant.None();
            case WHOLE -> new Grant.Whole(message.getWhole().getGpus());
            case COUNTED -> new Grant.Counted(message.getCounted().getCount());
            case SLICES ->
                    new Grant.Slices(
                            message.getSlices().getAtList().stream()
                                    .map(
                                            at ->
                                                    new MigSlot(
                                                            at.getGpu(),
                                                            at.getFirst(),
                                                            at.getSize(),
                                                            at.getProfile()))
                                    .toList());
            case SHARES -> {
                var shares = message.getShares();
                yield new Grant.Shares(shares.getGpus(), shares.getMilli(), shares.getMemoryMib());
            }
            case KIND_NOT_SET -> throw UnreadableException.unknown("grant", "none");
        };
    }

    ModelProto.Claim encode(Claim claim) {
        var message =
                ModelProto.Claim.newBuilder()
                        .setId(claim.id().number())
                        .setKind(encode(claim.kind()))
                        .setFromMicros(TimeCodec.micros(claim.from()))
                        .setUntilMicros(TimeCodec.micros(claim.until()))
                        .setReason(claim.reason());
        switch (claim.claimHolder()) {
            case ClaimHolder.OfJob of -> message.getHolderBuilder().setJob(of.job().number());
            case ClaimHolder.OfOperator of -> message.getHolderBuilder().setOperator(of.name());
        }
        claim.slots().forEach(slot -> message.addSlots(encode(slot)));
        return message.build();
    }

    Claim decode(ModelProto.Claim message) {
        var held = message.getHolder();
        ClaimHolder claimHolder =
                switch (held.getKindCase()) {
                    case JOB -> new ClaimHolder.OfJob(new JobId(held.getJob()));
                    case OPERATOR -> new ClaimHolder.OfOperator(held.getOperator());
                    case KIND_NOT_SET -> throw UnreadableException.unknown("holder", "none");
                };
        return new Claim(
                new ClaimId(message.getId()),
                claimHolder,
                decode(message.getKind()),
                slots(message.getSlotsList()),
                TimeCodec.instant(message.getFromMicros()),
                TimeCodec.instant(message.getUntilMicros()),
                message.getReason());
    }

    private static ModelProto.Claim.Kind encode(Claim.Kind kind) {
        return switch (kind) {
            case RESERVATION -> ModelProto.Claim.Kind.RESERVATION;
            case ROOM -> ModelProto.Claim.Kind.ROOM;
            case MAINTENANCE -> ModelProto.Claim.Kind.MAINTENANCE;
        };
    }

    private static Claim.Kind decode(ModelProto.Claim.Kind kind) {
        return switch (kind) {
            case RESERVATION -> Claim.Kind.RESERVATION;
            case ROOM -> Claim.Kind.ROOM;
            case MAINTENANCE -> Claim.Kind.MAINTENANCE;
            case UNSPECIFIED, UNRECOGNIZED -> throw UnreadableException.unknown("claim", kind);
        };
    }

    ModelProto.Foreign encode(ForeignTask foreignTask) {
        var message =
                ModelProto.Foreign.newBuilder()
                        .setId(foreignTask.id())
                        .setSlot(encode(foreignTask.slot()));
        for (SliceCount some : foreignTask.slices()) {
            message.addSlicesBuilder().setProfile(some.profile()).setCount(some.count());
        }
        return message.build();
    }

    ForeignTask decode(ModelProto.Foreign message) {
        return new ForeignTask(
                message.getId(),
                decode(message.getSlot()),
                message.getSlicesList().stream()
                        .map(some -> new SliceCount(some.getProfile(), some.getCount()))
                        .toList());
    }
}
