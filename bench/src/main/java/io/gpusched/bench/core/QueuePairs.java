package io.gpusched.bench.core;

import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.policy.order.PriorityOrder;
import io.gpusched.core.state.WaitingLine;

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

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// One enqueue and one dequeue on a line that stays `waiting` jobs long.
///
/// Arrivals are spaced so that the line is in balance: a job of the lowest priority waits as long
/// as ageing needs to lift it above fresh jobs of the highest. So new jobs go everywhere into the
/// line, not only to its end, and jobs leave from every class.
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class QueuePairs {
    public static final int PAIRS = 1000;
    static final int TENANTS = 4;
    static final int PRIORITIES = 500;
    static final int[] GPUS = {1, 8};

    private static final Duration POINT_EVERY = Duration.ofSeconds(6);
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    @Param({"100000", "1000000"})
    public int waiting = 1000;

    private final JobSource source = new JobSource(1, TENANTS, PRIORITIES, GPUS);
    private final WaitingLine line = new WaitingLine(new PriorityOrder(POINT_EVERY));
    private final Phase.Starting starting = starting();
    private final List<Job> arriving = new ArrayList<>();
    private final List<Job> left = new ArrayList<>();
    private Duration spacing = Duration.ZERO;
    private long jobs;

    /// Fills the line and lets it run until no job is left from the beginning.
    @Setup(Level.Trial)
    public void fill() {
        spacing = POINT_EVERY.multipliedBy(PRIORITIES).dividedBy(2L * waiting);
        for (int i = 0; i < waiting; i++) {
            line.enqueue(next());
        }
        for (int i = 0; i < 2 * waiting; i++) {
            line.enqueue(next());
            line.forget(line.dequeue(starting));
        }
    }

    /// Not measured: jobs are made by whoever submits them. Few at a time, so that they are as
    /// fresh in the processor's caches as a request that was just read.
    @Setup(Level.Invocation)
    public void prepare() {
        prepare(PAIRS);
    }

    void prepare(int pairs) {
        left.forEach(line::forget);
        left.clear();
        arriving.clear();
        for (int i = 0; i < pairs; i++) {
            arriving.add(next());
        }
    }

    @Benchmark
    @OperationsPerInvocation(PAIRS)
    public int pairs() {
        for (Job job : arriving) {
            line.enqueue(job);
            left.add(line.dequeue(starting));
        }
        return left.size();
    }

    int classes() {
        return line.classes();
    }

    List<Job> left() {
        return left;
    }

    private Job next() {
        jobs++;
        return Job.submitted(
                new JobId(jobs), source.asKept(), BEGIN.plus(spacing.multipliedBy(jobs)));
    }

    private static Phase.Starting starting() {
        var slot = new Slot(new NodeId("n"), 0, 0, new Grant.Whole(1), Resources.NONE);
        var attempt = new AttemptId(new JobId(1), 1, 1);
        return new Phase.Starting(Run.placed(attempt, new Placement(List.of(slot)), BEGIN), BEGIN);
    }
}
