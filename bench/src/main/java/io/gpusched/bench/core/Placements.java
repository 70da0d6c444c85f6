package io.gpusched.bench.core;

import io.gpusched.core.event.Input;
import io.gpusched.core.model.Check;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Fills an empty cluster with jobs of one GPU, many per call.
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class Placements {
    public static final int NODES = 5000;
    public static final int JOBS = NODES * Testbed.GPUS_PER_NODE;
    static final int PER_CALL = 250;
    static final int TENANTS = 20;
    static final int PRIORITIES = 20;

    private List<List<Input>> calls = List.of();
    private Testbed testbed = new Testbed(0, List.of());

    @Setup(Level.Invocation)
    public void prepare() {
        prepare(NODES, PER_CALL);
    }

    void prepare(int nodes, int perCall) {
        var source = new JobSource(4, TENANTS, PRIORITIES, 1);
        testbed = new Testbed(nodes, source.tenants());
        int jobs = nodes * Testbed.GPUS_PER_NODE;
        calls = new ArrayList<>();
        for (int call = 0; call < jobs / perCall; call++) {
            var inputs = new ArrayList<Input>();
            for (int i = 0; i < perCall; i++) {
                inputs.add(Testbed.submit(source.asRead()));
            }
            calls.add(inputs);
        }
    }

    @Benchmark
    @OperationsPerInvocation(JOBS)
    public int fill() {
        for (List<Input> inputs : calls) {
            testbed.handle(inputs);
        }
        Check.that(testbed.waiting() == 0, "%s jobs were not placed", testbed.waiting());
        return testbed.running();
    }

    Testbed testbed() {
        return testbed;
    }
}
