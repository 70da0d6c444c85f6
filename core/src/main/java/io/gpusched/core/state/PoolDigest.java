package io.gpusched.core.state;

import io.gpusched.core.model.Digest;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.QueueRule;
import io.gpusched.core.pool.ScaleBehavior;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.ServingRules;
import io.gpusched.core.pool.Slo;
import io.gpusched.core.scale.ScaleLimiter;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/// The fingerprint of what a pool's owner set, and of what its limiter remembers: everything that
/// decisions about the pool read beside its load and its replicas.
final class PoolDigest {
    private long hash = 0x9002;

    private PoolDigest() {}

    static long of(Pool pool) {
        var digest = new PoolDigest();
        digest.text(pool.id().name()).text(pool.model());
        digest.add(pool.min()).add(pool.max()).add(pool.warmPercent());
        digest.add(pool.replica()).add(pool.slo()).add(pool.scaling());
        digest.add(pool.cost()).add(pool.carbon()).add(pool.locality());
        return digest.add(pool.serving()).hash;
    }

    static long of(ScaleLimiter.Image limiter) {
        var digest = new PoolDigest();
        limiter.recommendations().forEach(each -> digest.add(each.at()).add(each.replicas()));
        digest.add(limiter.recommendations().size());
        limiter.changes().forEach(each -> digest.add(each.at()).add(each.replicas()));
        return digest.hash;
    }

    private PoolDigest add(JobSpec replica) {
        text(replica.tenant().name()).text(replica.kind());
        add(replica.priority()).add(replica.milliGpus()).add(replica.tasks());
        add(replica.onLoss().grace())
                .text(replica.payload().script())
                .text(replica.payload().image());
        texts(replica.payload().command()).texts(replica.payload().args());
        texts(replica.payload().environment().entries());
        return texts(replica.labels().entries());
    }

    private PoolDigest add(Slo slo) {
        add(slo.firstTokenMillis()).add(slo.interTokenMillis());
        return add(slo.tokensPerSecond()).add(slo.permille());
    }

    private PoolDigest add(ScalingRules rules) {
        text(rules.law()).add(rules.targets().size()).add(rules.schedules().size());
        for (var target : rules.targets()) {
            add(target.metric().ordinal()).add(target.targetMilli()).add(target.over());
        }
        for (var each : rules.schedules()) {
            text(each.name()).add(each.days()).add(each.fromMinute());
            add(each.minutes()).add(each.replicas());
        }
        QueueRule queue = rules.queue();
        if (queue != null) {
            add(queue.prefetch()).add(queue.milliThroughput()).add(queue.maxLag());
        }
        add(rules.replicaTokensPerSecond()).add(rules.up()).add(rules.down());
        return add(rules.cooldown()).add(rules.every()).add(rules.staleAfter());
    }

    private PoolDigest add(ScaleBehavior behavior) {
        add(behavior.stabilization()).add(behavior.select().ordinal());
        for (ScaleBehavior.Step step : behavior.steps()) {
            flag(step.percent()).add(step.value()).add(step.period());
        }
        return this;
    }

    private PoolDigest add(CostRules rules) {
        add(rules.maxMicroDollarsPerHour()).add(rules.headroomMillis()).add(rules.spotPercent());
        texts(rules.spotTypes()).add(rules.maxInterruptions()).add(rules.window());
        flag(rules.migrate()).flag(rules.fallbackOnCost()).flag(rules.fallbackOnSlo());
        return text(rules.fallbackModel()).text(rules.largerModel());
    }

    private PoolDigest add(CarbonRules rules) {
        texts(rules.preferredRegions()).add(rules.maxGramsPerKwh());
        return add(rules.cleanFromMinute()).add(rules.cleanMinutes());
    }

    private PoolDigest add(LocalityRules rules) {
        texts(rules.near()).add(rules.weightPercent()).texts(rules.apart());
        return add(rules.cachePercent()).add(rules.minCached()).text(rules.preloadLabel());
    }

    private PoolDigest add(ServingRules rules) {
        add(rules.port()).text(rules.healthPath()).text(rules.metricsPath()).add(rules.drain());
        text(rules.affinityHeader()).add(rules.affinityFor()).add(rules.loadTime());
        return rules.rolling() ? this : add(1);
    }

    private PoolDigest add(Duration duration) {
        return add(duration.toNanos());
    }

    private PoolDigest add(Instant instant) {
        return add(Instants.micros(instant));
    }

    private PoolDigest flag(boolean value) {
        return add(value ? 1 : 0);
    }

    private PoolDigest text(String text) {
        return add(Digest.of(text));
    }

    private PoolDigest texts(Iterable<String> texts) {
        texts.forEach(this::text);
        return this;
    }

    private PoolDigest texts(Map<String, String> entries) {
        entries.forEach((key, value) -> text(key).text(value));
        return this;
    }

    private PoolDigest add(long value) {
        hash = Digest.mix(hash, value);
        return this;
    }
}
