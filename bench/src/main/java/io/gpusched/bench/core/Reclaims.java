package io.gpusched.bench.core;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.TurnOutcome;
import io.gpusched.core.state.StateImage;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/// A gang preempts jobs of lower priority, of one GPU each, for 2,000 GPUs on a full fleet. Tasks
/// of one GPU take any of them; tasks of eight need whole nodes, on which jobs of all priorities
/// run.
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Reclaims {
    static final int NODES = 5000;
    static final int GPUS = 2000;

    @Param({"1", "8"})
    public int gpusPerTask = 1;

    private RackFleet fleet = new RackFleet(0);
    private @Nullable StateImage image;
    private JobId gang = new JobId(1);

    @Setup(Level.Trial)
    public void prepare() {
        prepare(NODES);
    }

    void prepare(int nodes) {
        fleet = new RackFleet(nodes);
        var roles = RackFleet.tasks(1, GpuRequest.whole(1, 0));
        var random = new SplittableRandom(8);
        for (int node = 0; node < nodes; node++) {
            for (int gpu = 0; gpu < Testbed.GPUS_PER_NODE; gpu++) {
                int priority = 10 * random.nextInt(10);
                var grant = new Grant.Whole(1L << gpu);
                fleet.run(roles, priority, node, grant, Duration.ofMillis(random.nextInt(200)));
            }
        }
        image = fleet.engine().image();
    }

    @Setup(Level.Invocation)
    public void submit() {
        fleet.restore(Objects.requireNonNull(image));
        fleet.decide();
        gang = fleet.submit(RackFleet.gang(1000, GPUS / gpusPerTask, gpusPerTask, List.of()));
    }

    @Benchmark
    public Object decide() {
        return decided();
    }

    CycleResult decided() {
        CycleResult cycleResult = fleet.decide();
        Check.that(
                cycleResult.attempts().get(gang) instanceof TurnOutcome.Preempts room
                        && room.victims().size() == GPUS,
                "no room was made for the gang: %s",
                String.valueOf(cycleResult.attempts().get(gang)));
        return cycleResult;
    }
}
