package io.gpusched.sim.pools;

import io.gpusched.core.pool.MetricTarget;
import io.gpusched.core.pool.PoolMetric;
import io.gpusched.core.pool.ScaleBehavior;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.scale.Scaler;
import io.gpusched.core.scale.Scalers;
import io.gpusched.sim.replica.IterationCost;
import io.gpusched.sim.replica.ServingRequest;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// A law with the rules around it.
///
/// @param label as in the table of expected figures
/// @param scaler decides; it may remember, so it serves one run only
/// @param fixed replicas of a pool that never changes; 0 for a law that decides
public record ComparedLaw(String label, Scaler scaler, ScalingRules rules, int fixed) {
    /// The names that are understood, for messages.
    public static final String NAMES =
            "slo, hpa-N, keda, wva, dynamo, dynamo-floor, seed001, oracle-C or static-N";

    ComparedLaw(String label, Scaler scaler, ScalingRules rules) {
        this(label, scaler, rules, 0);
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
    /// @param start when the first of them can come
    /// @param cost how fast a replica works, for the law that has a profile of it
    public static @Nullable ComparedLaw named(
            String name, List<ServingRequest> requests, Instant start, IterationCost cost) {
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
            var oracle = new OracleScaler(Double.parseDouble(number), requests, start);
            return new ComparedLaw("oracle c=" + number, oracle, atOnce(oracle.name()));
        }
        return switch (name) {
            case "slo" -> new ComparedLaw("slo (ours)", law("slo"), ScalingRules.slo());
            case "keda" ->
                    new ComparedLaw(
                            "keda waiting 5", new KedaScaler(), rules(name, List.of(), HPA_EVERY));
            case "wva" -> new ComparedLaw("wva saturation", new WvaScaler(), atOnce(name));
            case "dynamo" -> dynamo("dynamo floor+load", true, cost);
            case "dynamo-floor" -> dynamo("dynamo floor only", false, cost);
            case "seed001" -> new ComparedLaw("seed 001", law("tokens"), atOnce("tokens"));
            default -> null;
        };
    }

    private static ComparedLaw dynamo(String label, boolean byLoad, IterationCost cost) {
        var scaler = new DynamoScaler(byLoad, cost);
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
