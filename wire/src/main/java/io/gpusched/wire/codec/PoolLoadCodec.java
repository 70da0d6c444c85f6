package io.gpusched.wire.codec;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.pool.CacheState;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.pool.ServingChoice;
import io.gpusched.core.state.CachedModel;
import io.gpusched.core.state.ModelLedger;
import io.gpusched.wire.proto.JournalProto;
import io.gpusched.wire.proto.PoolProto;

import java.time.Duration;
import java.util.List;

/// Converts reports of load, and models with their places in caches.
final class PoolLoadCodec {
    private PoolLoadCodec() {}

    static PoolProto.Load encode(PoolLoad load) {
        var message =
                PoolProto.Load.newBuilder()
                        .setSource(load.source())
                        .setSequence(load.sequence())
                        .setOverNanos(TimeCodec.nanos(load.over()))
                        .setArrivals(load.arrivals())
                        .setRejected(load.rejected())
                        .setPromptTokens(load.promptTokens())
                        .setOutputTokens(load.outputTokens())
                        .setHeld(load.held())
                        .setHeldTokens(load.heldTokens())
                        .setSessions(load.sessions())
                        .setContextTokens(load.contextTokens())
                        .setToolCalls(load.toolCalls())
                        .setQueueDepth(load.queueDepth())
                        .setAnswered(load.answered())
                        .setWithinSlo(load.withinSlo())
                        .setFirstTokenP95Millis(load.firstTokenP95Millis());
        for (ReplicaLoad replica : load.replicas()) {
            message.addReplicasBuilder()
                    .setJob(replica.replica().number())
                    .setReady(replica.ready())
                    .setRunning(replica.running())
                    .setWaiting(replica.waiting())
                    .setWaitingTokens(replica.waitingTokens())
                    .setKvPermille(replica.kvPermille())
                    .setFirstTokenMillis(replica.firstTokenMillis())
                    .setInterTokenMicros(replica.interTokenMicros())
                    .setPromptTokens(replica.promptTokens())
                    .setOutputTokens(replica.outputTokens());
        }
        return message.build();
    }

    static PoolLoad decode(PoolProto.Load from) {
        return new PoolLoad(
                from.getSource(),
                from.getSequence(),
                TimeCodec.duration(from.getOverNanos()),
                from.getArrivals(),
                from.getRejected(),
                from.getPromptTokens(),
                from.getOutputTokens(),
                from.getHeld(),
                from.getHeldTokens(),
                from.getSessions(),
                from.getContextTokens(),
                from.getToolCalls(),
                from.getQueueDepth(),
                from.getAnswered(),
                from.getWithinSlo(),
                from.getFirstTokenP95Millis(),
                from.getReplicasList().stream()
                        .map(
                                each ->
                                        new ReplicaLoad(
                                                new JobId(each.getJob()),
                                                each.getReady(),
                                                each.getRunning(),
                                                each.getWaiting(),
                                                each.getWaitingTokens(),
                                                each.getKvPermille(),
                                                each.getFirstTokenMillis(),
                                                each.getInterTokenMicros(),
                                                each.getPromptTokens(),
                                                each.getOutputTokens()))
                        .toList());
    }

    /// A report as old journals have it: three figures of one unnamed source.
    static PoolLoad old(JournalProto.PoolLoadChanged from) {
        return new PoolLoad(
                "",
                0,
                Duration.ofSeconds(1),
                0,
                0,
                0,
                from.getTokensPerSecond(),
                0,
                from.getQueued(),
                0,
                0,
                0,
                0,
                0,
                0,
                Math.clamp(from.getFirstTokenMillis(), 0, Integer.MAX_VALUE),
                List.of());
    }

    static PoolProto.Model encode(ModelSpec model) {
        return PoolProto.Model.newBuilder()
                .setName(model.name())
                .setUri(model.uri())
                .setSizeBytes(model.sizeBytes())
                .setLoadNanos(TimeCodec.nanos(model.loadTime()))
                .setCachePriority(model.cachePriority())
                .setEviction(PoolProto.Model.Eviction.valueOf(model.eviction().name()))
                .setPinNanos(TimeCodec.nanos(model.pin()))
                .addAllPreloadNodes(model.preloadNodes())
                .setSmaller(model.smaller())
                .setLarger(model.larger())
                .build();
    }

    static ModelSpec decode(PoolProto.Model from) {
        return new ModelSpec(
                from.getName(),
                from.getUri(),
                from.getSizeBytes(),
                TimeCodec.duration(from.getLoadNanos()),
                from.getCachePriority(),
                switch (from.getEviction()) {
                    case NEVER -> ModelSpec.Eviction.NEVER;
                    case IDLE -> ModelSpec.Eviction.IDLE;
                    case LOW_PRIORITY -> ModelSpec.Eviction.LOW_PRIORITY;
                    case UNSPECIFIED, UNRECOGNIZED ->
                            throw UnreadableException.unknown(
                                    "eviction of a model", from.getEvictionValue());
                },
                TimeCodec.duration(from.getPinNanos()),
                from.getPreloadNodesList(),
                from.getSmaller(),
                from.getLarger());
    }

    static PoolProto.Choice encode(ServingChoice choice) {
        return PoolProto.Choice.newBuilder()
                .setSinceMicros(TimeCodec.micros(choice.since()))
                .setSpot(choice.spot())
                .setModel(choice.model())
                .setRule(choice.rule())
                .setReason(choice.reason())
                .build();
    }

    static ServingChoice decode(PoolProto.Choice from) {
        return new ServingChoice(
                TimeCodec.instant(from.getSinceMicros()),
                from.getSpot(),
                from.getModel(),
                from.getRule(),
                from.getReason());
    }

    static PoolProto.Cached encode(Event.ModelCached e) {
        return cached(e.node().name(), e.model(), e.state())
                .setBytes(e.bytes())
                .setProblem(e.problem())
                .build();
    }

    static PoolProto.Cached encode(CachedModel each) {
        var message =
                cached(each.node().name(), each.model(), each.state())
                        .setBytes(each.bytes())
                        .setProblem(each.problem())
                        .setWanted(each.wanted())
                        .setReported(each.reported())
                        .setWhy(each.why());
        if (each.lastUsed() != null) {
            message.setLastUsedMicros(TimeCodec.micros(each.lastUsed()));
        }
        return message.build();
    }

    private static PoolProto.Cached.Builder cached(String node, String model, CacheState state) {
        return PoolProto.Cached.newBuilder()
                .setNode(node)
                .setModel(model)
                .setState(PoolProto.Cached.State.valueOf(state.name()));
    }

    static CachedModel decode(PoolProto.Cached from) {
        return new CachedModel(
                new NodeId(from.getNode()),
                from.getModel(),
                state(from),
                from.getWanted(),
                from.getReported(),
                from.getBytes(),
                from.hasLastUsedMicros() ? TimeCodec.instant(from.getLastUsedMicros()) : null,
                from.getWhy(),
                from.getProblem());
    }

    static PoolProto.CacheUse encode(ModelLedger.Use use) {
        return PoolProto.CacheUse.newBuilder()
                .setStarts(use.starts())
                .setHits(use.hits())
                .setLocated(use.located())
                .setNear(use.near())
                .build();
    }

    static ModelLedger.Use decode(PoolProto.CacheUse from) {
        return new ModelLedger.Use(
                from.getStarts(), from.getHits(), from.getLocated(), from.getNear());
    }

    static CacheState state(PoolProto.Cached from) {
        return switch (from.getState()) {
            case LOADING -> CacheState.LOADING;
            case CACHED -> CacheState.CACHED;
            case EVICTED -> CacheState.EVICTED;
            case FAILED -> CacheState.FAILED;
            case EVICTING -> CacheState.EVICTING;
            case UNSPECIFIED, UNRECOGNIZED ->
                    throw UnreadableException.unknown(
                            "state of a cached model", from.getStateValue());
        };
    }
}
