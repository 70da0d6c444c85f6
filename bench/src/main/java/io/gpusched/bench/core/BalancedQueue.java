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
import io.gpusched.core.state.BenchQueue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A queue of constant length while jobs come and go, and the jobs that come next.
///
/// Arrivals are spaced so that the queue is in balance: a job of the lowest priority waits as long
/// as ageing needs to raise it above new jobs of the highest. So new jobs enter everywhere in the
/// queue, not only at its end, and jobs leave from every class.
final class BalancedQueue {
    static final int TENANTS = 4;
    static final int PRIORITIES = 500;
    static final int[] GPUS = {1, 8};

    private static final Duration POINT_EVERY = Duration.ofSeconds(6);
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    final BenchQueue line = new BenchQueue(new PriorityOrder(POINT_EVERY));
    final Phase.Starting starting = starting();
    final List<Job> arriving = new ArrayList<>();

    private final JobSource source = new JobSource(1, TENANTS, PRIORITIES, GPUS);
    private final Duration spacing;
    private long jobs;
    private long[] left = new long[0];
    private int gone;

    /// Fills the queue and runs it until no initial job is left.
    BalancedQueue(int waiting) {
        spacing = POINT_EVERY.multipliedBy(PRIORITIES).dividedBy(2L * waiting);
        for (int i = 0; i < waiting; i++) {
            line.enqueue(next());
        }
        for (int i = 0; i < 2 * waiting; i++) {
            line.enqueue(next());
            line.forget(line.takeFirst());
        }
    }

    /// Makes jobs that are about to arrive and forgets those that left before. Few at a time, so
    /// that they are as fresh in the processor's caches as a request that was just read.
    void prepare(int pairs) {
        for (int i = 0; i < gone; i++) {
            line.forget(left[i]);
        }
        gone = 0;
        left = left.length == pairs ? left : new long[pairs];
        arriving.clear();
        for (int i = 0; i < pairs; i++) {
            arriving.add(next());
        }
    }

    void left(long number) {
        left[gone++] = number;
    }

    long[] left() {
        return Arrays.copyOf(left, gone);
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
