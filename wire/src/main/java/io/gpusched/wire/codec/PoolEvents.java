package io.gpusched.wire.codec;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.JobId;
import io.gpusched.core.pool.PoolId;
import io.gpusched.wire.proto.JournalProto;

import java.time.Instant;

/// Converts events of pools and models.
final class PoolEvents {
    private final NameInterner nameInterner;
    private final PoolCodec pools;
    private final TenantCodec old;

    PoolEvents(NameInterner nameInterner, SpecCodec specs) {
        this.nameInterner = nameInterner;
        this.pools = new PoolCodec(specs);
        this.old = new TenantCodec(nameInterner);
    }

    private PoolId id(String name) {
        return new PoolId(nameInterner.text(name));
    }

    JournalProto.PoolPut encode(Event.PoolPut e) {
        return JournalProto.PoolPut.newBuilder()
                .setDefinition(pools.encode(e.pool()))
                .setBy(e.by())
                .build();
    }

    Event decode(Instant at, JournalProto.PoolPut from) {
        return new Event.PoolPut(
                at,
                from.hasDefinition()
                        ? pools.decode(from.getDefinition())
                        : old.decode(from.getPool()),
                nameInterner.text(from.getBy()));
    }

    static JournalProto.PoolRemoved encode(Event.PoolRemoved e) {
        return JournalProto.PoolRemoved.newBuilder().setPool(e.pool().name()).setBy(e.by()).build();
    }

    Event decode(Instant at, JournalProto.PoolRemoved from) {
        return new Event.PoolRemoved(at, id(from.getPool()), nameInterner.text(from.getBy()));
    }

    static JournalProto.PoolHeld encode(Event.PoolHeld e) {
        var message =
                JournalProto.PoolHeld.newBuilder()
                        .setPool(e.pool().name())
                        .setReason(e.reason())
                        .setBy(e.by());
        if (e.replicas() != null) {
            message.setReplicas(e.replicas());
        }
        return message.build();
    }

    Event decode(Instant at, JournalProto.PoolHeld from) {
        return new Event.PoolHeld(
                at,
                id(from.getPool()),
                from.hasReplicas() ? from.getReplicas() : null,
                from.getReason(),
                nameInterner.text(from.getBy()));
    }

    static JournalProto.PoolLoadChanged encode(Event.PoolLoadChanged e) {
        return JournalProto.PoolLoadChanged.newBuilder()
                .setPool(e.pool().name())
                .setLoad(PoolLoadCodec.encode(e.load()))
                .build();
    }

    Event decode(Instant at, JournalProto.PoolLoadChanged from) {
        return new Event.PoolLoadChanged(
                at,
                id(from.getPool()),
                from.hasLoad() ? PoolLoadCodec.decode(from.getLoad()) : PoolLoadCodec.old(from));
    }

    static JournalProto.PoolRecommended encode(Event.PoolRecommended e) {
        return JournalProto.PoolRecommended.newBuilder()
                .setPool(e.pool().name())
                .setReplicas(e.replicas())
                .setTarget(e.target())
                .setRule(e.rule())
                .setReason(e.reason())
                .build();
    }

    Event decode(Instant at, JournalProto.PoolRecommended from) {
        return new Event.PoolRecommended(
                at,
                id(from.getPool()),
                from.getReplicas(),
                from.getTarget(),
                nameInterner.text(from.getRule()),
                from.getReason());
    }

    static JournalProto.PoolScaled encode(Event.PoolScaled e) {
        return JournalProto.PoolScaled.newBuilder()
                .setPool(e.pool().name())
                .setFrom(e.from())
                .setTo(e.to())
                .setRule(e.rule())
                .setReason(e.reason())
                .build();
    }

    Event decode(Instant at, JournalProto.PoolScaled from) {
        return new Event.PoolScaled(
                at,
                id(from.getPool()),
                from.getFrom(),
                from.getTo(),
                nameInterner.text(from.getRule()),
                from.getReason());
    }

    static JournalProto.PoolChoice encode(Event.PoolChoice e) {
        return JournalProto.PoolChoice.newBuilder()
                .setPool(e.pool().name())
                .setChoice(PoolLoadCodec.encode(e.choice()))
                .build();
    }

    Event decode(Instant at, JournalProto.PoolChoice from) {
        return new Event.PoolChoice(at, id(from.getPool()), PoolLoadCodec.decode(from.getChoice()));
    }

    static JournalProto.PoolLapsed encode(Event.PoolLapsed e) {
        return JournalProto.PoolLapsed.newBuilder()
                .setPool(e.pool().name())
                .setRetryAtMicros(TimeCodec.micros(e.retryAt()))
                .setReason(e.reason())
                .build();
    }

    Event decode(Instant at, JournalProto.PoolLapsed from) {
        return new Event.PoolLapsed(
                at,
                id(from.getPool()),
                TimeCodec.instant(from.getRetryAtMicros()),
                from.getReason());
    }

    static JournalProto.ReplicaDraining encode(Event.ReplicaDraining e) {
        return JournalProto.ReplicaDraining.newBuilder()
                .setJob(e.job().number())
                .setReason(e.reason())
                .build();
    }

    static Event decode(Instant at, JournalProto.ReplicaDraining from) {
        return new Event.ReplicaDraining(at, new JobId(from.getJob()), from.getReason());
    }

    static JournalProto.ModelPut encode(Event.ModelPut e) {
        return JournalProto.ModelPut.newBuilder()
                .setModel(PoolLoadCodec.encode(e.model()))
                .setBy(e.by())
                .build();
    }

    static Event decode(Instant at, JournalProto.ModelPut from) {
        return new Event.ModelPut(at, PoolLoadCodec.decode(from.getModel()), from.getBy());
    }

    static JournalProto.ModelRemoved encode(Event.ModelRemoved e) {
        return JournalProto.ModelRemoved.newBuilder().setModel(e.model()).setBy(e.by()).build();
    }

    static Event decode(Instant at, JournalProto.ModelRemoved from) {
        return new Event.ModelRemoved(at, from.getModel(), from.getBy());
    }

    static JournalProto.ModelCached encode(Event.ModelCached e) {
        return JournalProto.ModelCached.newBuilder().setCached(PoolLoadCodec.encode(e)).build();
    }

    Event decode(Instant at, JournalProto.ModelCached from) {
        return new Event.ModelCached(
                at,
                nameInterner.node(from.getCached().getNode()),
                nameInterner.text(from.getCached().getModel()),
                PoolLoadCodec.state(from.getCached()),
                from.getCached().getBytes(),
                from.getCached().getProblem());
    }

    static JournalProto.ModelWanted encode(Event.ModelWanted e) {
        return JournalProto.ModelWanted.newBuilder()
                .setNode(e.node().name())
                .setModel(e.model())
                .setWhy(e.why())
                .build();
    }

    Event decode(Instant at, JournalProto.ModelWanted from) {
        return new Event.ModelWanted(
                at,
                nameInterner.node(from.getNode()),
                nameInterner.text(from.getModel()),
                nameInterner.text(from.getWhy()));
    }

    static JournalProto.ModelUnwanted encode(Event.ModelUnwanted e) {
        return JournalProto.ModelUnwanted.newBuilder()
                .setNode(e.node().name())
                .setModel(e.model())
                .setEvict(e.evict())
                .setWhy(e.why())
                .build();
    }

    Event decode(Instant at, JournalProto.ModelUnwanted from) {
        return new Event.ModelUnwanted(
                at,
                nameInterner.node(from.getNode()),
                nameInterner.text(from.getModel()),
                from.getEvict(),
                nameInterner.text(from.getWhy()));
    }
}
