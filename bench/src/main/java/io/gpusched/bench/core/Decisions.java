package io.gpusched.bench.core;

import io.gpusched.core.event.Input;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import java.util.List;
import java.util.concurrent.TimeUnit;

/// One job submitted and placed by one call, again and again until the cluster is full; then the
/// next cluster. The time of each call is sampled.
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Decisions {
    private final JobSource source = new JobSource(5, Placements.TENANTS, Placements.PRIORITIES, 1);
    private int nodes = Placements.NODES;
    private Testbed testbed = new Testbed(0, List.of());
    private List<Input> next = List.of();

    void onNodes(int count) {
        nodes = count;
    }

    @Setup(Level.Invocation)
    public void prepare() {
        if (testbed.running() == nodes * Testbed.GPUS_PER_NODE || next.isEmpty()) {
            testbed = new Testbed(nodes, source.tenants());
        }
        next = List.of(Testbed.submit(source.asRead()));
    }

    @Benchmark
    public Object decide() {
        return testbed.handle(next);
    }

    Testbed testbed() {
        return testbed;
    }
}
