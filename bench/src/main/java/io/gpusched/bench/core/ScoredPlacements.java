package io.gpusched.bench.core;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Market;
import io.gpusched.core.policy.PlacementSettings;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/// Fills a cluster whose nodes differ in all that the five terms look at: cached models, prices,
/// data stores, a name of their own. Jobs name a model, and every fourth may run on spot capacity
/// or wants to be near a store.
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class ScoredPlacements {
    static final int PER_CALL = 250;

    private static final String TYPE = "node.kubernetes.io/instance-type";
    private static final int TYPES = 6;
    private static final int MODELS = 40;
    private static final int STORES = 16;

    @Param({"best-fit", "five-term"})
    public String placement = "five-term";

    @Param({"1000", "10000"})
    public int nodes = 10;

    private List<List<Input>> calls = List.of();
    private Testbed testbed = new Testbed(0, List.of());

    @Setup(Level.Invocation)
    public void prepare() {
        var source = new JobSource(4, Placements.TENANTS, Placements.PRIORITIES, 1);
        var settings = PlacementSettings.DEFAULT.withPlacer(placement);
        testbed = new Testbed(settings, nodes, ScoredPlacements::nodeLabels);
        testbed.put(source.tenants());
        var prices = new ArrayList<Input>();
        for (int type = 0; type < TYPES; type++) {
            var market = new Market(TYPE, "type-" + type, 1_000_000L * (type + 1), 0, type == 0);
            prices.add(new Command.SetMarket(market, "bench"));
        }
        testbed.handle(prices);
        calls = new ArrayList<>();
        var inputs = new ArrayList<Input>();
        for (int job = 0; job < jobs(); job++) {
            inputs.add(Testbed.submit(source.asRead(jobLabels(job))));
            if (inputs.size() == PER_CALL || job == jobs() - 1) {
                calls.add(List.copyOf(inputs));
                inputs.clear();
            }
        }
    }

    int jobs() {
        return nodes * Testbed.GPUS_PER_NODE;
    }

    @Benchmark
    public int fill() {
        for (List<Input> inputs : calls) {
            testbed.handle(inputs);
        }
        Check.that(testbed.running() == jobs(), "%s jobs were not placed", testbed.waiting());
        return testbed.running();
    }

    Testbed testbed() {
        return testbed;
    }

    private static Labels nodeLabels(int number) {
        var labels = new TreeMap<String, String>();
        labels.put("kubernetes.io/hostname", "node-" + number);
        labels.put(TYPE, "type-" + number % TYPES);
        labels.put(
                "neuronetes.io/cached-models",
                "model-" + number % MODELS + ",model-" + number * 7 % MODELS);
        labels.put("neuronetes.io/data-stores", "store-" + number % STORES);
        return new Labels(labels);
    }

    private static Labels jobLabels(int number) {
        Labels labels = Labels.of("neuronetes.io/model", "model-" + number % MODELS);
        return switch (number % 4) {
            case 0 -> labels.with("neuronetes.io/spot", "true");
            case 1 ->
                    labels.with("neuronetes.io/vector-store-affinity", "store-" + number % STORES);
            default -> labels;
        };
    }
}
