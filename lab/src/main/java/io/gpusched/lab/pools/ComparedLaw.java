package io.gpusched.lab.pools;

import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.MetricTarget;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.PoolMetric;
import io.gpusched.core.pool.ScaleBehavior;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.ServingRules;
import io.gpusched.core.scale.Scaler;
import io.gpusched.core.scale.Scalers;
import io.gpusched.sim.replica.IterationCost;
import io.gpusched.sim.replica.ServingRequest;
import io.gpusched.sim.trace.TraceJob;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// A law with the rules around it.
///
/// @param label as in the table of expected figures
/// @param scaler decides; it may remember, so it serves one run only
/// @param fixed replicas of a pool that never changes; 0 for a law that decides
record ComparedLaw(String label, Scaler scaler, ScalingRules rules, int fixed) {
    /// The time of the first request.
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    static final PoolId POOL = new PoolId("llm");

    /// What one replica asks for.
    private static final Role REPLICA = Role.of(TraceJob.Ask.ofGpus(PoolResult.GPUS).shape(), 1);

    private static final int INITIAL = 8;
    private static final int MAX = 40;

    /// The names that are understood, for messages.
    static final String NAMES =
            "slo, hpa-N, keda, wva, dynamo, dynamo-floor, seed001, oracle-C or static-N";

    ComparedLaw(String label, Scaler scaler, ScalingRules rules) {
        this(label, scaler, rules, 0);
    }

    /// Replicas at the beginning.
    int initial() {
        return fixed == 0 ? INITIAL : fixed;
    }

    /// The pool that the law scales.
    Pool pool(PoolTrace trace, int loadSeconds) {
        return pool(trace, loadSeconds, fixed == 0 ? 1 : fixed);
    }

    /// The same pool before the first request: it may not have fewer replicas than at the
    /// beginning.
    Pool poolAtFirst(PoolTrace trace, int loadSeconds) {
        return pool(trace, loadSeconds, initial());
    }

    private Pool pool(PoolTrace trace, int loadSeconds, int min) {
        ServingRules usual = ServingRules.NONE;
        return new Pool(
                POOL,
                "llama2-70b",
                JobSpec.builder(Tenant.DEFAULT, List.of(REPLICA)).name("llm").build(),
                min,
                fixed == 0 ? MAX : fixed,
                0,
                trace.slo(),
                rules,
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
                        Duration.ofSeconds(loadSeconds),
                        usual.rolling()));
    }

    private static final Duration HPA_EVERY = Duration.ofSeconds(15);
    private static final Duration EVERY = Duration.ofSeconds(5);
    private static final long SEED_TOKENS_PER_SECOND = 10_000;

    /// No stabilisation and no steps.
    private static final ScaleBehavior AT_ONCE =
            new ScaleBehavior(Duration.ZERO, ScaleBehavior.Select.LARGEST, List.of());

    /// The law of that name; null when there is none.
    ///
    /// @param requests the future, for the law that may know it
    static @Nullable ComparedLaw named(String name, List<ServingRequest> requests) {
        int dash = name.lastIndexOf('-');
        String number = name.substring(dash + 1);
        if (name.matches("hpa-[0-9]{1,4}")) {
            long target = Long.parseLong(number) * 1000;
            return new ComparedLaw(
                    "hpa in-flight " + number,
                    law("targets"),
                    rules(
                            "targets",
                            List.of(
                                    new MetricTarget(
                                            PoolMetric.REQUESTS_IN_FLIGHT, target, Duration.ZERO)),
                            HPA_EVERY));
        }
        if (name.matches("static-[0-9]{1,3}")) {
            return new ComparedLaw(
                    "static " + number, law("static"), atOnce("static"), Integer.parseInt(number));
        }
        if (name.matches("oracle-[0-9]{1,2}([.][0-9]{1,2})?")) {
            var oracle = new OracleScaler(Double.parseDouble(number), requests, START);
            return new ComparedLaw("oracle c=" + number, oracle, atOnce(oracle.name()));
        }
        return switch (name) {
            case "slo" -> new ComparedLaw("slo (ours)", law("slo"), ScalingRules.slo());
            case "keda" ->
                    new ComparedLaw(
                            "keda waiting 5", new KedaScaler(), rules(name, List.of(), HPA_EVERY));
            case "wva" -> new ComparedLaw("wva saturation", new WvaScaler(), atOnce(name));
            case "dynamo" -> dynamo("dynamo floor+load", true);
            case "dynamo-floor" -> dynamo("dynamo floor only", false);
            case "seed001" -> new ComparedLaw("seed 001", law("tokens"), atOnce("tokens"));
            default -> null;
        };
    }

    private static ComparedLaw dynamo(String label, boolean byLoad) {
        var scaler = new DynamoScaler(byLoad, IterationCost.LLAMA2_70B);
        return new ComparedLaw(label, scaler, atOnce(scaler.name()));
    }

    private static Scaler law(String name) {
        Scaler scaler = Scalers.named(name);
        if (scaler == null) {
            throw new IllegalStateException("there is no law " + name);
        }
        return scaler;
    }

    /// The defaults of the Kubernetes autoscaler.
    private static ScalingRules rules(String law, List<MetricTarget> targets, Duration every) {
        ScalingRules usual = ScalingRules.of(law);
        return new ScalingRules(
                law,
                targets,
                0,
                null,
                List.of(),
                usual.up(),
                usual.down(),
                usual.cooldown(),
                every,
                usual.staleAfter());
    }

    private static ScalingRules atOnce(String law) {
        ScalingRules usual = ScalingRules.of(law);
        return new ScalingRules(
                law,
                List.of(),
                SEED_TOKENS_PER_SECOND,
                null,
                List.of(),
                AT_ONCE,
                AT_ONCE,
                usual.cooldown(),
                EVERY,
                usual.staleAfter());
    }
}
