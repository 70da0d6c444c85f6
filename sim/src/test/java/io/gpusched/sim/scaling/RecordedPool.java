package io.gpusched.sim.scaling;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.ServingRules;
import io.gpusched.core.pool.Slo;
import io.gpusched.sim.pools.PoolCase;
import io.gpusched.sim.pools.PoolNodes;
import io.gpusched.sim.pools.PoolRun;
import io.gpusched.sim.replica.AnswerTimes;
import io.gpusched.sim.replica.IterationCost;
import io.gpusched.sim.replica.ReplicaWorld;
import io.gpusched.sim.replica.ServingRequest;
import io.gpusched.sim.scenario.SeededRandom;
import io.gpusched.sim.trace.TraceJob;
import io.gpusched.sim.whatif.History;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// A journal of a pool whose requests and replicas are known, to compare with what is made from it.
record RecordedPool(List<Batch> batches, AnswerTimes answers) {
    static final PoolId CHAT = new PoolId("chat");
    static final Instant START = Instant.parse("2026-01-05T00:00:00Z");
    static final Slo SLO = new Slo(1_000, 75, 0, 990);
    private static final Duration LOAD = Duration.ofSeconds(60);
    private static final int GPUS = 4;

    /// Requests of a rate that rises and falls, with lengths that vary.
    static List<ServingRequest> requests(Duration span, double perSecond) {
        var random = SeededRandom.of(7, "test", 0);
        var requests = new ArrayList<ServingRequest>();
        double at = 0;
        double end = span.toSeconds();
        while (at < end) {
            double rate = perSecond * (1 - 0.8 * StrictMath.cos(2 * Math.PI * at / end));
            at -= StrictMath.log(1 - random.unit()) / rate;
            requests.add(
                    new ServingRequest(
                            requests.size(),
                            at,
                            random.between(100, 2_000),
                            random.between(20, 400)));
        }
        return requests;
    }

    static Pool pool(ScalingRules rules, int min, int max) {
        ServingRules usual = ServingRules.NONE;
        Role replica = Role.of(TraceJob.Ask.ofGpus(GPUS).shape(), 1);
        return new Pool(
                CHAT,
                "llama2-70b",
                JobSpec.builder(Tenant.DEFAULT, List.of(replica)).name("chat").build(),
                min,
                max,
                0,
                SLO,
                rules,
                CostRules.NONE,
                CarbonRules.NONE,
                LocalityRules.NONE,
                new ServingRules(
                        usual.port(),
                        usual.healthPath(),
                        usual.metricsPath(),
                        Duration.ofMinutes(10),
                        usual.affinityHeader(),
                        usual.affinityFor(),
                        LOAD));
    }

    /// @param more what else happens, each after so many seconds
    static RecordedPool run(
            Pool pool, List<ServingRequest> requests, List<PoolCase.Scripted> more) {
        var script = new ArrayList<PoolCase.Scripted>();
        script.add(PoolCase.Scripted.of(START, new Command.PutPool(pool, "test")));
        script.addAll(more);
        script.sort(Comparator.comparing(PoolCase.Scripted::at));
        var batches = new ArrayList<Batch>();
        var around =
                new PoolCase(
                        requests,
                        IterationCost.LLAMA2_70B,
                        START,
                        LOAD,
                        Duration.ofSeconds(1),
                        PoolNodes.of(12, GPUS),
                        pool,
                        script,
                        List.of(),
                        PoolCase.Gauges.NONE,
                        Duration.ZERO,
                        Duration.ofDays(1));
        ReplicaWorld world =
                new PoolRun(around, List.of(), (batch, cycleResult) -> batches.add(batch)).run();
        return new RecordedPool(batches, world.answers());
    }

    static PoolCase.Scripted after(Duration span, Input input) {
        return PoolCase.Scripted.of(START.plus(span), input);
    }

    History history() {
        return (after, into) -> batches.subList((int) after, batches.size()).forEach(into);
    }
}
