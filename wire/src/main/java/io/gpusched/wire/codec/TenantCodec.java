package io.gpusched.wire.codec;

import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.ServingRules;
import io.gpusched.core.pool.Slo;
import io.gpusched.wire.proto.ModelProto;

import java.util.List;

/// Converts tenants, pools and prices.
final class TenantCodec {
    private final NameInterner nameInterner;

    TenantCodec(NameInterner nameInterner) {
        this.nameInterner = nameInterner;
    }

    static ModelProto.Tenant encode(Tenant tenant) {
        var message =
                ModelProto.Tenant.newBuilder()
                        .setId(tenant.id().name())
                        .setGuaranteed(encode(tenant.guaranteed()))
                        .setLimit(encode(tenant.limit()))
                        .setWeight(tenant.weight())
                        .setActive(tenant.active())
                        .setProfile(LabelCodec.encode(tenant.profile()));
        message.getRulesBuilder()
                .setMayBePreempted(tenant.rules().mayBePreempted())
                .setMayPreempt(tenant.rules().mayPreempt())
                .setMostPerJob(tenant.rules().mostPerJob());
        if (tenant.parent() != null) {
            message.setParent(tenant.parent().name());
        }
        return message.build();
    }

    Tenant decode(ModelProto.Tenant message) {
        var rules = message.getRules();
        return new Tenant(
                nameInterner.tenant(message.getId()),
                message.hasParent() ? nameInterner.tenant(message.getParent()) : null,
                decode(message.getGuaranteed()),
                decode(message.getLimit()),
                message.getWeight(),
                new PreemptionRules(
                        rules.getMayBePreempted(), rules.getMayPreempt(), rules.getMostPerJob()),
                message.getActive(),
                LabelCodec.decode(message.getProfile()));
    }

    private static ModelProto.Limits encode(Limits limits) {
        var message = ModelProto.Limits.newBuilder();
        if (limits.milliGpus() != Limits.UNLIMITED) {
            message.setMilliGpus(limits.milliGpus());
        }
        if (limits.gpuMemoryMiB() != Limits.UNLIMITED) {
            message.setGpuMemoryMib(limits.gpuMemoryMiB());
        }
        if (limits.milliCpu() != Limits.UNLIMITED) {
            message.setMilliCpu(limits.milliCpu());
        }
        if (limits.memoryMiB() != Limits.UNLIMITED) {
            message.setMemoryMib(limits.memoryMiB());
        }
        if (limits.runningJobs() != Limits.UNLIMITED) {
            message.setRunningJobs(limits.runningJobs());
        }
        return message.build();
    }

    private static Limits decode(ModelProto.Limits message) {
        return new Limits(
                message.hasMilliGpus() ? message.getMilliGpus() : Limits.UNLIMITED,
                message.hasGpuMemoryMib() ? message.getGpuMemoryMib() : Limits.UNLIMITED,
                message.hasMilliCpu() ? message.getMilliCpu() : Limits.UNLIMITED,
                message.hasMemoryMib() ? message.getMemoryMib() : Limits.UNLIMITED,
                message.hasRunningJobs() ? message.getRunningJobs() : Limits.UNLIMITED);
    }

    /// A pool as old journals have it.
    Pool decode(ModelProto.Pool message) {
        var slo = message.getSlo();
        TenantId tenant = nameInterner.tenant(message.getTenant());
        return new Pool(
                new PoolId(message.getId()),
                "",
                JobSpec.builder(tenant, List.of(DemandCodec.decode(message.getTemplate()))).build(),
                message.getMin(),
                message.getMax(),
                0,
                new Slo(slo.getFirstTokenMillis(), 0, slo.getTokensPerSecond(), 0),
                ScalingRules.of("static"),
                CostRules.NONE,
                CarbonRules.NONE,
                LocalityRules.NONE,
                ServingRules.NONE);
    }

    static ModelProto.Market encode(Market market) {
        return ModelProto.Market.newBuilder()
                .setLabel(market.label())
                .setValue(market.value())
                .setMicroDollarsPerGpuHour(market.microDollarsPerGpuHour())
                .setGramsPerKwh(market.gramsPerKwh())
                .setSpot(market.spot())
                .build();
    }

    static Market decode(ModelProto.Market message) {
        return new Market(
                message.getLabel(),
                message.getValue(),
                message.getMicroDollarsPerGpuHour(),
                message.getGramsPerKwh(),
                message.getSpot());
    }
}
