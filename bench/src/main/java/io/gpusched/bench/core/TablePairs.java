package io.gpusched.bench.core;

import io.gpusched.core.model.Job;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import java.util.concurrent.TimeUnit;

/// One enqueue and one dequeue on a line that stays `waiting` jobs long, with what the table of
/// jobs does for it: each job is recorded as it comes, found as it leaves, and recorded as
/// starting.
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class TablePairs {
    public static final int PAIRS = 1000;

    @Param({"100000", "1000000"})
    public int waiting = 1000;

    private BalancedQueue balanced = new BalancedQueue(1);

    @Setup(Level.Trial)
    public void fill() {
        balanced = new BalancedQueue(waiting);
    }

    /// Not measured: clients make the jobs.
    @Setup(Level.Invocation)
    public void prepare() {
        prepare(PAIRS);
    }

    void prepare(int pairs) {
        balanced.prepare(pairs);
    }

    @Benchmark
    @OperationsPerInvocation(PAIRS)
    public int pairs() {
        for (Job job : balanced.arriving) {
            balanced.line.enqueue(job);
            balanced.left(balanced.line.dequeue(balanced.starting).id().number());
        }
        return balanced.arriving.size();
    }

    BalancedQueue balanced() {
        return balanced;
    }
}
