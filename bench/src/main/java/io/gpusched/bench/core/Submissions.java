package io.gpusched.bench.core;

import io.gpusched.core.event.Answer;
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

/// Submissions to a full cluster through all of `Cell.handle`, many per call as under load. The
/// queue grows from empty to `JOBS`.
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class Submissions {
    public static final int PER_CALL = 256;
    public static final int CALLS = 1000;
    public static final int JOBS = PER_CALL * CALLS;
    static final int NODES = 128;
    static final int TENANTS = 20;
    static final int PRIORITIES = 20;
    static final int[] GPUS = {1, 2, 4, 8};

    private List<List<Input>> calls = List.of();
    private Testbed testbed = new Testbed(0, List.of());

    @Setup(Level.Invocation)
    public void prepare() {
        prepare(NODES, CALLS);
    }

    void prepare(int nodes, int calls) {
        var source = new JobSource(2, TENANTS, PRIORITIES, GPUS);
        testbed = new Testbed(nodes, source.tenants());
        var filler = new JobSource(3, 1, 1, Testbed.GPUS_PER_NODE);
        var fill = new ArrayList<Input>();
        for (int node = 0; node < nodes; node++) {
            fill.add(Testbed.submit(filler.asRead()));
        }
        testbed.handle(fill);
        Check.that(testbed.running() == nodes, "the cluster is not full");
        this.calls = new ArrayList<>();
        for (int call = 0; call < calls; call++) {
            var inputs = new ArrayList<Input>();
            for (int i = 0; i < PER_CALL; i++) {
                inputs.add(Testbed.submit(source.asRead()));
            }
            this.calls.add(inputs);
        }
    }

    @Benchmark
    @OperationsPerInvocation(JOBS)
    public long submit() {
        long accepted = 0;
        for (List<Input> inputs : calls) {
            for (Answer answer : testbed.handle(inputs)) {
                if (answer instanceof Answer.Accepted) {
                    accepted++;
                }
            }
        }
        Check.that(accepted == testbed.waiting(), "%s waiting", testbed.waiting());
        return accepted;
    }

    Testbed testbed() {
        return testbed;
    }
}
