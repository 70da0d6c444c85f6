package io.gpusched.wire.codec;

import com.google.protobuf.ByteString;

import io.gpusched.core.model.CarbonPreference;
import io.gpusched.core.model.JobDeadline;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Replica;
import io.gpusched.core.model.RuntimeExpectation;
import io.gpusched.wire.proto.ModelProto;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Function;

/// Converts job specs. Reading interns equal parts. Writing caches the bytes of parts that are the
/// same object as before, so that similar jobs cost a few copies each.
final class SpecCodec {
    /// Longer parts are not cached: they are rarely equal and would fill the memory.
    private static final int LONGEST_KEPT = 1 << 10;

    private static final int WRITTEN = 1 << 10;

    private record Written<T>(T part, ByteString bytes) {}

    private final NameInterner nameInterner;
    private final Interner<ByteString, SharedDemand> demands =
            new Interner<>(1 << 15, DemandCodec::decode);
    private final Interner<ByteString, Payload> payloads =
            new Interner<>(1 << 14, PayloadCodec::decode);
    private final Interner<ModelProto.Carbon, CarbonPreference> carbons =
            new Interner<>(1 << 10, CarbonCodec::decode);
    private final Interner<ByteString, Labels> labels = new Interner<>(1 << 14, LabelCodec::decode);

    /// Caches by the identity of the roles and of the payload. Entries are immutable, so threads
    /// may race for a slot.
    private final @Nullable Written<SharedDemand>[] writtenDemands = places();

    private final @Nullable Written<Payload>[] writtenPayloads = places();

    SpecCodec(NameInterner nameInterner) {
        this.nameInterner = nameInterner;
    }

    ModelProto.JobSpec encode(JobSpec spec) {
        var message =
                ModelProto.JobSpec.newBuilder()
                        .setName(spec.name())
                        .setTenant(spec.tenant().name())
                        .setPriority(spec.priority())
                        .setKind(spec.kind())
                        .setMemoryPerGpu(spec.memoryPerGpu())
                        .setDemands(demands(spec))
                        .setPayload(payload(spec.payload()));
        if (!spec.labels().isEmpty()) {
            message.setLabels(LabelCodec.bytes(spec.labels()));
        }
        if (spec.runtimeExpectation().isKnown()) {
            message.setExpectedUsualNanos(spec.runtimeExpectation().usual().toNanos())
                    .setExpectedMostNanos(spec.runtimeExpectation().most().toNanos());
        }
        Replica replica = spec.replica();
        if (replica != null) {
            message.getReplicaBuilder().setPool(replica.pool()).setNumber(replica.number());
        }
        JobDeadline deadline = spec.deadline();
        if (deadline != null) {
            message.setDeadline(DeadlineCodec.encode(deadline));
        }
        if (!spec.carbon().equals(CarbonPreference.NONE)) {
            message.setCarbon(CarbonCodec.encode(spec.carbon()));
        }
        return message.build();
    }

    JobSpec decode(ModelProto.JobSpec message) {
        SharedDemand demanded = kept(demands, message.getDemands(), DemandCodec::decode);
        return JobSpec.builder(nameInterner.tenant(message.getTenant()), demanded.roles())
                .name(message.getName())
                .priority(message.getPriority())
                .kind(nameInterner.text(message.getKind()))
                .near(demanded.near())
                .limit(demanded.limit())
                .onLoss(demanded.onLoss())
                .payload(
                        message.getPayload().isEmpty()
                                ? Payload.NOTHING
                                : kept(payloads, message.getPayload(), PayloadCodec::decode))
                .labels(
                        message.getLabels().isEmpty()
                                ? Labels.NONE
                                : kept(labels, message.getLabels(), LabelCodec::decode))
                .runtimeExpectation(expected(message))
                .memoryPerGpu(message.getMemoryPerGpu())
                .replica(replica(message))
                .deadline(
                        message.hasDeadline() ? DeadlineCodec.decode(message.getDeadline()) : null)
                .carbon(
                        message.hasCarbon()
                                ? carbons.of(message.getCarbon())
                                : CarbonPreference.NONE)
                .build();
    }

    private @Nullable Replica replica(ModelProto.JobSpec message) {
        return message.hasReplica()
                ? new Replica(
                        nameInterner.text(message.getReplica().getPool()),
                        message.getReplica().getNumber())
                : null;
    }

    private static RuntimeExpectation expected(ModelProto.JobSpec message) {
        return message.getExpectedMostNanos() == 0
                ? RuntimeExpectation.NOTHING
                : new RuntimeExpectation(
                        Duration.ofNanos(message.getExpectedUsualNanos()),
                        Duration.ofNanos(message.getExpectedMostNanos()));
    }

    private static <V> V kept(
            Interner<ByteString, V> interner, ByteString bytes, Function<ByteString, V> decode) {
        return bytes.size() <= LONGEST_KEPT ? interner.of(bytes) : decode.apply(bytes);
    }

    private ByteString demands(JobSpec spec) {
        int place = System.identityHashCode(spec.roles()) & (WRITTEN - 1);
        Written<SharedDemand> written = writtenDemands[place];
        if (written != null && written.part.sameAs(spec)) {
            return written.bytes;
        }
        SharedDemand part = SharedDemand.of(spec);
        ByteString bytes = DemandCodec.encode(part);
        if (bytes.size() <= LONGEST_KEPT) {
            writtenDemands[place] = new Written<>(part, bytes);
        }
        return bytes;
    }

    @SuppressWarnings("ReferenceEquality") // Comparing values would cost more than writing them.
    private ByteString payload(Payload payload) {
        int place = System.identityHashCode(payload) & (WRITTEN - 1);
        Written<Payload> written = writtenPayloads[place];
        if (written != null && written.part == payload) {
            return written.bytes;
        }
        ByteString bytes = PayloadCodec.encode(payload);
        if (bytes.size() <= LONGEST_KEPT) {
            writtenPayloads[place] = new Written<>(payload, bytes);
        }
        return bytes;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <T> @Nullable Written<T>[] places() {
        return new Written[WRITTEN];
    }
}
