package io.gpusched.wire.codec;

import io.gpusched.core.model.JobId;
import io.gpusched.core.pool.IterationTimes;
import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.ReplicaTemplate;
import io.gpusched.core.scale.PastRecommendation;
import io.gpusched.core.scale.ScaleLimiter;
import io.gpusched.core.scale.SizeChange;
import io.gpusched.core.state.PoolImage;
import io.gpusched.core.state.ReplicaStatus;
import io.gpusched.core.state.SizeDecision;
import io.gpusched.wire.proto.PoolProto;

import java.time.Instant;
import java.util.List;

/// Converts what the ledger holds of pools.
final class PoolImageCodec {
    private final SpecCodec specs;
    private final PoolCodec pools;

    PoolImageCodec(SpecCodec specs) {
        this.specs = specs;
        this.pools = new PoolCodec(specs);
    }

    PoolProto.PoolImage encode(PoolImage image) {
        var message =
                PoolProto.PoolImage.newBuilder()
                        .setPool(pools.encode(image.pool()))
                        .setChangedMicros(TimeCodec.micros(image.changed()))
                        .setRemoved(image.removed())
                        .setHoldReason(image.holdReason())
                        .setDesired(image.desired())
                        .setFailures(image.failures())
                        .setFailure(image.failure())
                        .setLapses(image.lapses())
                        .setLapse(image.lapse())
                        .setLoadMillis(image.loadMillis())
                        .setActivations(image.activations())
                        .setLoad(encode(image.load()))
                        .setLimiter(encode(image.limiter()));
        if (image.hold() != null) {
            message.setHold(image.hold());
        }
        if (image.decided() != null) {
            message.setDecided(encode(image.decided()));
        }
        if (image.recommended() != null) {
            message.setRecommended(encode(image.recommended()));
        }
        if (image.startAfter() != null) {
            message.setStartAfterMicros(TimeCodec.micros(image.startAfter()));
        }
        if (image.growAfter() != null) {
            message.setGrowAfterMicros(TimeCodec.micros(image.growAfter()));
        }
        if (image.choice() != null) {
            message.setChoice(PoolLoadCodec.encode(image.choice()));
        }
        image.interruptions().forEach(at -> message.addInterruptionsMicros(TimeCodec.micros(at)));
        image.replicas().forEach(one -> message.addReplicas(encode(one)));
        image.recent().forEach(one -> message.addRecent(encode(one)));
        message.setTemplate(encode(image.template()));
        image.earlier().forEach(one -> message.addEarlier(encode(one)));
        return message.build();
    }

    PoolImage decode(PoolProto.PoolImage from) {
        Pool pool = pools.decode(from.getPool());
        return new PoolImage(
                pool,
                TimeCodec.instant(from.getChangedMicros()),
                from.getRemoved(),
                from.hasHold() ? from.getHold() : null,
                from.getHoldReason(),
                from.getDesired(),
                from.hasDecided() ? decode(from.getDecided()) : null,
                from.hasRecommended() ? decode(from.getRecommended()) : null,
                from.getFailures(),
                from.hasStartAfterMicros() ? TimeCodec.instant(from.getStartAfterMicros()) : null,
                from.getFailure(),
                from.getLapses(),
                from.hasGrowAfterMicros() ? TimeCodec.instant(from.getGrowAfterMicros()) : null,
                from.getLapse(),
                from.getLoadMillis(),
                from.getReplicasList().stream().map(PoolImageCodec::decode).toList(),
                from.getRecentList().stream().map(PoolImageCodec::decode).toList(),
                from.hasChoice() ? PoolLoadCodec.decode(from.getChoice()) : null,
                from.getInterruptionsMicrosList().stream().map(TimeCodec::instant).toList(),
                from.getActivations(),
                decode(from.getLoad()),
                decode(from.getLimiter()),
                from.hasTemplate() ? decode(from.getTemplate()) : ReplicaTemplate.of(0, pool),
                from.getEarlierList().stream().map(this::decode).toList());
    }

    private PoolProto.ReplicaTemplate encode(ReplicaTemplate template) {
        return PoolProto.ReplicaTemplate.newBuilder()
                .setNumber(template.number())
                .setReplica(specs.encode(template.replica()))
                .setModel(template.model())
                .setPort(template.port())
                .build();
    }

    private ReplicaTemplate decode(PoolProto.ReplicaTemplate from) {
        return new ReplicaTemplate(
                from.getNumber(), specs.decode(from.getReplica()), from.getModel(), from.getPort());
    }

    /// A pool of a snapshot that had nothing else of it.
    static PoolImage old(Pool pool, Instant at) {
        return new PoolImage(
                pool,
                at,
                false,
                null,
                "",
                0,
                null,
                null,
                0,
                null,
                "",
                0,
                null,
                "",
                0,
                List.of(),
                List.of(),
                null,
                List.of(),
                0,
                new LoadHistory().image(),
                ScaleLimiter.Image.EMPTY,
                ReplicaTemplate.of(0, pool),
                List.of());
    }

    private static PoolProto.Decision encode(SizeDecision decision) {
        return PoolProto.Decision.newBuilder()
                .setAtMicros(TimeCodec.micros(decision.at()))
                .setFrom(decision.from())
                .setTo(decision.to())
                .setRule(decision.rule())
                .setReason(decision.reason())
                .build();
    }

    private static SizeDecision decode(PoolProto.Decision from) {
        return new SizeDecision(
                TimeCodec.instant(from.getAtMicros()),
                from.getFrom(),
                from.getTo(),
                from.getRule(),
                from.getReason());
    }

    private static PoolProto.Replica encode(ReplicaStatus status) {
        var message =
                PoolProto.Replica.newBuilder()
                        .setNumber(status.number())
                        .setJob(status.job().number())
                        .setServed(status.served())
                        .setTemplate(status.template());
        if (status.placed() != null) {
            message.setPlacedMicros(TimeCodec.micros(status.placed()));
        }
        if (status.ready() != null) {
            message.setReadyMicros(TimeCodec.micros(status.ready()));
        }
        if (status.draining() != null) {
            message.setDrainingMicros(TimeCodec.micros(status.draining()));
        }
        return message.build();
    }

    private static ReplicaStatus decode(PoolProto.Replica from) {
        return new ReplicaStatus(
                from.getNumber(),
                new JobId(from.getJob()),
                from.hasPlacedMicros() ? TimeCodec.instant(from.getPlacedMicros()) : null,
                from.hasReadyMicros() ? TimeCodec.instant(from.getReadyMicros()) : null,
                from.getServed(),
                from.hasDrainingMicros() ? TimeCodec.instant(from.getDrainingMicros()) : null,
                from.getTemplate());
    }

    private static PoolProto.LoadHistory encode(LoadHistory.Image image) {
        var message = PoolProto.LoadHistory.newBuilder().setDigest(image.digest());
        for (LoadHistory.Sample sample : image.newest()) {
            message.addNewestBuilder()
                    .setAtMicros(TimeCodec.micros(sample.at()))
                    .setLoad(PoolLoadCodec.encode(sample.load()));
        }
        for (List<Long> interval : image.intervals()) {
            message.addIntervalsBuilder().addAllNumbers(interval);
        }
        for (IterationTimes.Cell cell : image.times()) {
            message.addTimesBuilder()
                    .setCount(cell.count())
                    .setMilliRunning(cell.milliRunning())
                    .setKvPermille(cell.kvPermille())
                    .setPromptTokens(cell.promptTokens())
                    .setMicros(cell.micros());
        }
        if (image.lastRequest() != null) {
            message.setLastRequestMicros(TimeCodec.micros(image.lastRequest()));
        }
        return message.build();
    }

    private static LoadHistory.Image decode(PoolProto.LoadHistory from) {
        return new LoadHistory.Image(
                from.getNewestList().stream()
                        .map(
                                each ->
                                        new LoadHistory.Sample(
                                                TimeCodec.instant(each.getAtMicros()),
                                                PoolLoadCodec.decode(each.getLoad())))
                        .toList(),
                from.getIntervalsList().stream()
                        .map(each -> List.copyOf(each.getNumbersList()))
                        .toList(),
                from.getTimesList().stream()
                        .map(
                                each ->
                                        new IterationTimes.Cell(
                                                each.getCount(),
                                                each.getMilliRunning(),
                                                each.getKvPermille(),
                                                each.getPromptTokens(),
                                                each.getMicros()))
                        .toList(),
                from.hasLastRequestMicros() ? TimeCodec.instant(from.getLastRequestMicros()) : null,
                from.getDigest());
    }

    private static PoolProto.Limiter encode(ScaleLimiter.Image image) {
        var message = PoolProto.Limiter.newBuilder();
        for (PastRecommendation past : image.recommendations()) {
            message.addRecommendations(point(past.at(), past.replicas()));
        }
        for (SizeChange change : image.changes()) {
            message.addChanges(point(change.at(), change.replicas()));
        }
        return message.build();
    }

    private static PoolProto.Limiter.Point point(Instant at, int replicas) {
        return PoolProto.Limiter.Point.newBuilder()
                .setAtMicros(TimeCodec.micros(at))
                .setReplicas(replicas)
                .build();
    }

    private static ScaleLimiter.Image decode(PoolProto.Limiter from) {
        return new ScaleLimiter.Image(
                from.getRecommendationsList().stream()
                        .map(
                                each ->
                                        new PastRecommendation(
                                                TimeCodec.instant(each.getAtMicros()),
                                                each.getReplicas()))
                        .toList(),
                from.getChangesList().stream()
                        .map(
                                each ->
                                        new SizeChange(
                                                TimeCodec.instant(each.getAtMicros()),
                                                each.getReplicas()))
                        .toList());
    }
}
