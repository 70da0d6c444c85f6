package io.gpusched.bench.core;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Proximity;
import io.gpusched.core.policy.TurnOutcome;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/// A gang of 512 tasks that would rather stay in one rack, on a fleet where one GPU in eight is
/// free and each of the others carries five shares.
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Gangs {
    static final int NODES = 4000;
    static final int TASKS = 512;
    private static final int SHARES = 5;

    private RackFleet fleet = new RackFleet(0);
    private JobId gang = new JobId(1);

    /// Some nodes have no free GPU and some have two, so that no two racks have the same.
    @Setup(Level.Trial)
    public void prepare() {
        prepare(NODES);
    }

    void prepare(int nodes) {
        fleet = new RackFleet(nodes);
        var roles = RackFleet.tasks(1, new GpuRequest.Share(200, 0, 1));
        var random = new SplittableRandom(7);
        int[] free = new int[nodes];
        Arrays.fill(free, 1);
        for (int i = 0; i < nodes / 4; i++) {
            int from = random.nextInt(nodes);
            int to = random.nextInt(nodes);
            if (free[from] > 0 && free[to] < Testbed.GPUS_PER_NODE) {
                free[from]--;
                free[to]++;
            }
        }
        for (int node = 0; node < nodes; node++) {
            for (int gpu = free[node]; gpu < Testbed.GPUS_PER_NODE; gpu++) {
                for (int share = 0; share < SHARES; share++) {
                    var grant = new Grant.Shares(1L << gpu, 200, 0);
                    fleet.run(roles, 100, node, grant, Duration.ZERO);
                }
            }
        }
    }

    @Setup(Level.Invocation)
    public void submit() {
        gang = fleet.submit(RackFleet.gang(100, TASKS, 1, List.of(new Proximity("rack", false))));
    }

    @Benchmark
    public Object decide() {
        return decided();
    }

    CycleResult decided() {
        CycleResult cycleResult = fleet.decide();
        Check.that(
                cycleResult.attempts().get(gang) instanceof TurnOutcome.Placed,
                "the gang was not placed: %s",
                String.valueOf(cycleResult.attempts().get(gang)));
        return cycleResult;
    }

    @TearDown(Level.Invocation)
    public void end() {
        fleet.end(gang);
    }
}
