package io.gpusched.bench.core;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Input;
import io.gpusched.core.explain.Explainer;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/// Explains a job that cannot start on a large cluster of which every node has one GPU free and
/// runs a job of seven.
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Explanations {
    static final int NODES = 10_000;

    /// One task of 8 GPUs, a gang of 2,000 tasks with 8 GPUs each, or one task bound to a label
    /// that no node has.
    @Param({"single", "gang", "label"})
    public String kind = "single";

    private Testbed testbed = new Testbed(0, List.of());
    private JobId asked = new JobId(1);

    @Setup
    public void fill() {
        var source = new JobSource(5, Placements.TENANTS, Placements.PRIORITIES, 7);
        testbed = new Testbed(NODES, source.tenants());
        var inputs = new ArrayList<Input>();
        for (int i = 0; i < NODES; i++) {
            inputs.add(Testbed.submit(source.asRead()));
        }
        testbed.handle(inputs);
        Input last = Testbed.submit(spec(source.asRead()));
        Answer answer = testbed.handle(List.of(last)).getFirst();
        asked = Objects.requireNonNull(((Answer.Accepted) answer).job());
    }

    private JobSpec spec(JobSpec like) {
        var shape =
                new Shape(
                        GpuRequest.whole(kind.equals("label") ? 1 : 8, 0),
                        Resources.cores(1, 1024),
                        List.of(),
                        kind.equals("label") ? Labels.of("zone", "nowhere") : Labels.NONE,
                        List.of());
        return like.withRoles(List.of(Role.of(shape, kind.equals("gang") ? 2_000 : 1)));
    }

    /// Every reason with the number of its nodes.
    @Benchmark
    public Object why() {
        return new Explainer(testbed.engine(), testbed.now()).why(asked);
    }

    /// The reasons, the holders of the capacity, and the changes that would let the job start.
    @Benchmark
    public Object explain() {
        return new Explainer(testbed.engine(), testbed.now()).explain(asked);
    }

    /// How many nodes are looked at to find every reason.
    long nodesLookedAt() {
        long before = testbed.engine().nodesLookedAt();
        new Explainer(testbed.engine(), testbed.now()).why(asked);
        return testbed.engine().nodesLookedAt() - before;
    }
}
