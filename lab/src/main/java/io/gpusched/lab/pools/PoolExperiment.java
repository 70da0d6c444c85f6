package io.gpusched.lab.pools;

import io.gpusched.sim.pools.ComparedLaw;
import io.gpusched.sim.pools.PoolCase;
import io.gpusched.sim.pools.PoolRun;
import io.gpusched.sim.replica.ReplicaWorld;
import io.gpusched.sim.replica.RequestTraces;
import io.gpusched.sim.trace.BadTrace;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Runs laws by name on a trace.
public final class PoolExperiment {
    private static final int COPIES = 4;

    private final PoolTrace trace;
    private final int loadSeconds;
    private final Duration every;

    /// @param every how often the load is reported
    public PoolExperiment(PoolTrace trace, int loadSeconds, Duration every) {
        this.trace = trace;
        this.loadSeconds = loadSeconds;
        this.every = every;
    }

    /// The trace of that name: conversation, code or mooncake.
    public static PoolTrace trace(String name, Path data, Path azure) {
        return switch (name) {
            case "conversation" ->
                    PoolTrace.of(
                            "conv",
                            COPIES,
                            PoolTrace.CONVERSATION,
                            RequestTraces.azure(
                                    DataFiles.one(azure, "AzureLLMInferenceTrace_conv")));
            case "code" ->
                    PoolTrace.of(
                            "code",
                            COPIES,
                            PoolTrace.CODE,
                            RequestTraces.azure(
                                    DataFiles.one(azure, "AzureLLMInferenceTrace_code")));
            case "mooncake" ->
                    PoolTrace.of(
                            "mooncake",
                            1,
                            PoolTrace.MOONCAKE,
                            RequestTraces.mooncake(DataFiles.one(data, "trace_mooncake")));
            default ->
                    throw new BadTrace(
                            "--trace: expected conversation, code or mooncake, found " + name);
        };
    }

    /// The laws that `all` stands for.
    public static List<String> all(String trace) {
        var names =
                new ArrayList<>(List.of("slo", "keda", "wva", "dynamo", "dynamo-floor", "seed001"));
        names.addAll(
                trace.equals("code")
                        ? List.of("hpa-5", "hpa-10", "hpa-20", "oracle-2.5", "oracle-3.0")
                        : List.of("hpa-20", "hpa-40", "oracle-2.3", "oracle-2.6"));
        return names;
    }

    public PoolResult run(String name) {
        ComparedLaw law = law(name);
        PoolCase around = around(law);
        ReplicaWorld world =
                new PoolRun(around, List.of(law.scaler()), (batch, cycleResult) -> {}).run();
        return PoolResult.of(trace, around, law, world);
    }

    ComparedLaw law(String name) {
        ComparedLaw law = ComparedLaw.named(name, trace.requests(), LabPool.START, LabPool.COST);
        if (law == null) {
            throw new BadTrace("--law: expected %s, found %s".formatted(ComparedLaw.NAMES, name));
        }
        return law;
    }

    PoolCase around(ComparedLaw law) {
        return LabPool.around(trace, loadSeconds, every, law);
    }
}
