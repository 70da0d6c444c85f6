package io.gpusched.lab.pools;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.ServingRules;
import io.gpusched.sim.pools.ComparedLaw;
import io.gpusched.sim.pools.PoolCase;
import io.gpusched.sim.pools.PoolNodes;
import io.gpusched.sim.pools.PoolRun;
import io.gpusched.sim.replica.IterationCost;
import io.gpusched.sim.trace.TraceJob;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// The pool of the comparison: 1 to 40 replicas, 8 at the beginning, or always as many as a fixed
/// law has.
final class LabPool {
    /// The time of the first request.
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    static final IterationCost COST = IterationCost.LLAMA2_70B;

    private static final PoolId POOL = new PoolId("llm");

    /// What one replica asks for.
    private static final Role REPLICA = Role.of(TraceJob.Ask.ofGpus(PoolResult.GPUS).shape(), 1);

    private static final int INITIAL = 8;
    private static final int MAX = 40;

    private LabPool() {}

    /// Replicas at the beginning.
    static int initial(ComparedLaw law) {
        return law.fixed() == 0 ? INITIAL : law.fixed();
    }

    /// The pool while requests come.
    static Pool pool(PoolTrace trace, int loadSeconds, ComparedLaw law) {
        return pool(trace, loadSeconds, law, law.fixed() == 0 ? 1 : law.fixed());
    }

    /// Everything around the law. Before the first request the pool may not have fewer replicas
    /// than at the beginning.
    static PoolCase around(PoolTrace trace, int loadSeconds, Duration every, ComparedLaw law) {
        Pool pool = pool(trace, loadSeconds, law);
        return new PoolCase(
                trace.requests(),
                COST,
                START,
                Duration.ofSeconds(loadSeconds),
                every,
                PoolNodes.of(pool.max(), PoolResult.GPUS),
                pool(trace, loadSeconds, law, initial(law)),
                List.of(PoolCase.Scripted.of(START, new Command.PutPool(pool, PoolRun.BY))),
                List.of(),
                PoolCase.Gauges.NONE,
                Duration.ZERO,
                Duration.ofDays(3_650));
    }

    private static Pool pool(PoolTrace trace, int loadSeconds, ComparedLaw law, int min) {
        ServingRules usual = ServingRules.NONE;
        return new Pool(
                POOL,
                "llama2-70b",
                JobSpec.builder(Tenant.DEFAULT, List.of(REPLICA)).name("llm").build(),
                min,
                law.fixed() == 0 ? MAX : law.fixed(),
                0,
                trace.slo(),
                law.rules(),
                CostRules.NONE,
                CarbonRules.NONE,
                LocalityRules.NONE,
                new ServingRules(
                        usual.port(),
                        usual.healthPath(),
                        usual.metricsPath(),
                        Duration.ofHours(1),
                        usual.affinityHeader(),
                        usual.affinityFor(),
                        Duration.ofSeconds(loadSeconds)));
    }
}
