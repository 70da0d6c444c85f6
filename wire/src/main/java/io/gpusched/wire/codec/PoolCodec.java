package io.gpusched.wire.codec;

import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.MetricTarget;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.PoolMetric;
import io.gpusched.core.pool.QueueRule;
import io.gpusched.core.pool.ScaleBehavior;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.ScheduledSize;
import io.gpusched.core.pool.ServingRules;
import io.gpusched.core.pool.Slo;
import io.gpusched.wire.proto.PoolProto;

/// Converts pools with all of their rules.
final class PoolCodec {
    private final SpecCodec specs;

    PoolCodec(SpecCodec specs) {
        this.specs = specs;
    }

    PoolProto.Pool encode(Pool pool) {
        var message =
                PoolProto.Pool.newBuilder()
                        .setId(pool.id().name())
                        .setModel(pool.model())
                        .setReplica(specs.encode(pool.replica()))
                        .setMin(pool.min())
                        .setMax(pool.max())
                        .setWarmPercent(pool.warmPercent())
                        .setScaling(encode(pool.scaling()))
                        .setCost(encode(pool.cost()));
        message.getSloBuilder()
                .setFirstTokenMillis(pool.slo().firstTokenMillis())
                .setInterTokenMillis(pool.slo().interTokenMillis())
                .setTokensPerSecond(pool.slo().tokensPerSecond())
                .setPermille(pool.slo().permille());
        message.getCarbonBuilder()
                .addAllPreferredRegions(pool.carbon().preferredRegions())
                .setMaxGramsPerKwh(pool.carbon().maxGramsPerKwh())
                .setCleanFromMinute(pool.carbon().cleanFromMinute())
                .setCleanMinutes(pool.carbon().cleanMinutes());
        message.getLocalityBuilder()
                .addAllNear(pool.locality().near())
                .setWeightPercent(pool.locality().weightPercent())
                .addAllApart(pool.locality().apart())
                .setCachePercent(pool.locality().cachePercent())
                .setMinCached(pool.locality().minCached())
                .setPreloadLabel(pool.locality().preloadLabel());
        message.getServingBuilder()
                .setPort(pool.serving().port())
                .setHealthPath(pool.serving().healthPath())
                .setMetricsPath(pool.serving().metricsPath())
                .setDrainNanos(TimeCodec.nanos(pool.serving().drain()))
                .setAffinityHeader(pool.serving().affinityHeader())
                .setAffinityNanos(TimeCodec.nanos(pool.serving().affinityFor()))
                .setLoadNanos(TimeCodec.nanos(pool.serving().loadTime()))
                .setNoUpdate(!pool.serving().rolling());
        return message.build();
    }

    Pool decode(PoolProto.Pool from) {
        return new Pool(
                new PoolId(from.getId()),
                from.getModel(),
                specs.decode(from.getReplica()),
                from.getMin(),
                from.getMax(),
                from.getWarmPercent(),
                new Slo(
                        from.getSlo().getFirstTokenMillis(),
                        from.getSlo().getInterTokenMillis(),
                        from.getSlo().getTokensPerSecond(),
                        from.getSlo().getPermille()),
                decode(from.getScaling()),
                decode(from.getCost()),
                new CarbonRules(
                        from.getCarbon().getPreferredRegionsList(),
                        from.getCarbon().getMaxGramsPerKwh(),
                        from.getCarbon().getCleanFromMinute(),
                        from.getCarbon().getCleanMinutes()),
                new LocalityRules(
                        from.getLocality().getNearList(),
                        from.getLocality().getWeightPercent(),
                        from.getLocality().getApartList(),
                        from.getLocality().getCachePercent(),
                        from.getLocality().getMinCached(),
                        from.getLocality().getPreloadLabel()),
                new ServingRules(
                        from.getServing().getPort(),
                        from.getServing().getHealthPath(),
                        from.getServing().getMetricsPath(),
                        TimeCodec.duration(from.getServing().getDrainNanos()),
                        from.getServing().getAffinityHeader(),
                        TimeCodec.duration(from.getServing().getAffinityNanos()),
                        TimeCodec.duration(from.getServing().getLoadNanos()),
                        !from.getServing().getNoUpdate()));
    }

    private static PoolProto.Scaling encode(ScalingRules rules) {
        var message =
                PoolProto.Scaling.newBuilder()
                        .setLaw(rules.law())
                        .setReplicaTokensPerSecond(rules.replicaTokensPerSecond())
                        .setUp(encode(rules.up()))
                        .setDown(encode(rules.down()))
                        .setCooldownNanos(TimeCodec.nanos(rules.cooldown()))
                        .setEveryNanos(TimeCodec.nanos(rules.every()))
                        .setStaleAfterNanos(TimeCodec.nanos(rules.staleAfter()));
        for (MetricTarget target : rules.targets()) {
            message.addTargetsBuilder()
                    .setMetric(PoolProto.Target.Metric.valueOf(target.metric().name()))
                    .setTargetMilli(target.targetMilli())
                    .setOverNanos(TimeCodec.nanos(target.over()));
        }
        QueueRule queue = rules.queue();
        if (queue != null) {
            message.getQueueBuilder()
                    .setPrefetch(queue.prefetch())
                    .setMilliThroughput(queue.milliThroughput())
                    .setMaxLag(queue.maxLag());
        }
        for (ScheduledSize schedule : rules.schedules()) {
            message.addSchedulesBuilder()
                    .setName(schedule.name())
                    .setDays(schedule.days())
                    .setFromMinute(schedule.fromMinute())
                    .setMinutes(schedule.minutes())
                    .setReplicas(schedule.replicas());
        }
        return message.build();
    }

    private static ScalingRules decode(PoolProto.Scaling from) {
        return new ScalingRules(
                from.getLaw(),
                from.getTargetsList().stream().map(PoolCodec::decode).toList(),
                from.getReplicaTokensPerSecond(),
                from.hasQueue()
                        ? new QueueRule(
                                from.getQueue().getPrefetch(),
                                from.getQueue().getMilliThroughput(),
                                from.getQueue().getMaxLag())
                        : null,
                from.getSchedulesList().stream()
                        .map(
                                each ->
                                        new ScheduledSize(
                                                each.getName(),
                                                each.getDays(),
                                                each.getFromMinute(),
                                                each.getMinutes(),
                                                each.getReplicas()))
                        .toList(),
                decode(from.getUp()),
                decode(from.getDown()),
                TimeCodec.duration(from.getCooldownNanos()),
                TimeCodec.duration(from.getEveryNanos()),
                TimeCodec.duration(from.getStaleAfterNanos()));
    }

    private static MetricTarget decode(PoolProto.Target from) {
        return new MetricTarget(
                switch (from.getMetric()) {
                    case TOKENS_IN_QUEUE -> PoolMetric.TOKENS_IN_QUEUE;
                    case FIRST_TOKEN_P95 -> PoolMetric.FIRST_TOKEN_P95;
                    case CONCURRENT_SESSIONS -> PoolMetric.CONCURRENT_SESSIONS;
                    case TOKENS_PER_SECOND -> PoolMetric.TOKENS_PER_SECOND;
                    case QUEUE_DEPTH -> PoolMetric.QUEUE_DEPTH;
                    case CONTEXT_LENGTH -> PoolMetric.CONTEXT_LENGTH;
                    case TOOL_CALL_RATE -> PoolMetric.TOOL_CALL_RATE;
                    case REQUESTS_IN_FLIGHT -> PoolMetric.REQUESTS_IN_FLIGHT;
                    case KV_CACHE_USE -> PoolMetric.KV_CACHE_USE;
                    case UNSPECIFIED, UNRECOGNIZED ->
                            throw UnreadableException.unknown(
                                    "metric of a pool", from.getMetricValue());
                },
                from.getTargetMilli(),
                TimeCodec.duration(from.getOverNanos()));
    }

    private static PoolProto.Behavior encode(ScaleBehavior behavior) {
        var message =
                PoolProto.Behavior.newBuilder()
                        .setStabilizationNanos(TimeCodec.nanos(behavior.stabilization()))
                        .setSelect(PoolProto.Behavior.Select.valueOf(behavior.select().name()));
        for (ScaleBehavior.Step step : behavior.steps()) {
            message.addStepsBuilder()
                    .setPercent(step.percent())
                    .setValue(step.value())
                    .setPeriodNanos(TimeCodec.nanos(step.period()));
        }
        return message.build();
    }

    private static ScaleBehavior decode(PoolProto.Behavior from) {
        return new ScaleBehavior(
                TimeCodec.duration(from.getStabilizationNanos()),
                switch (from.getSelect()) {
                    case LARGEST -> ScaleBehavior.Select.LARGEST;
                    case SMALLEST -> ScaleBehavior.Select.SMALLEST;
                    case DISABLED -> ScaleBehavior.Select.DISABLED;
                    case UNSPECIFIED, UNRECOGNIZED ->
                            throw UnreadableException.unknown(
                                    "selection of steps", from.getSelectValue());
                },
                from.getStepsList().stream()
                        .map(
                                step ->
                                        new ScaleBehavior.Step(
                                                step.getPercent(),
                                                step.getValue(),
                                                TimeCodec.duration(step.getPeriodNanos())))
                        .toList());
    }

    private static PoolProto.Cost encode(CostRules rules) {
        return PoolProto.Cost.newBuilder()
                .setMaxMicroDollarsPerHour(rules.maxMicroDollarsPerHour())
                .setHeadroomMillis(rules.headroomMillis())
                .setSpotPercent(rules.spotPercent())
                .addAllSpotTypes(rules.spotTypes())
                .setMaxInterruptions(rules.maxInterruptions())
                .setWindowNanos(TimeCodec.nanos(rules.window()))
                .setMigrate(rules.migrate())
                .setFallbackModel(rules.fallbackModel())
                .setFallbackOnCost(rules.fallbackOnCost())
                .setFallbackOnSlo(rules.fallbackOnSlo())
                .setLargerModel(rules.largerModel())
                .build();
    }

    private static CostRules decode(PoolProto.Cost from) {
        return new CostRules(
                from.getMaxMicroDollarsPerHour(),
                from.getHeadroomMillis(),
                from.getSpotPercent(),
                from.getSpotTypesList(),
                from.getMaxInterruptions(),
                TimeCodec.duration(from.getWindowNanos()),
                from.getMigrate(),
                from.getFallbackModel(),
                from.getFallbackOnCost(),
                from.getFallbackOnSlo(),
                from.getLargerModel());
    }
}
