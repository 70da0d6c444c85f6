package io.gpusched.server.view;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RefusalCount;
import io.gpusched.core.policy.TurnOutcome;

import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// What came of trying waiting jobs last. Only jobs at the head of their class are tried, so most
/// of a long queue is not in here; a bound keeps it small all the same. Written by the follower's
/// thread, read by any.
public final class LatestTurns {
    private static final int MOST = 50_000;
    private static final int MOST_REASONS = 3;

    private final ConcurrentHashMap<JobId, TurnOutcome> last = new ConcurrentHashMap<>();

    void add(CycleResult cycleResult) {
        cycleResult
                .attempts()
                .forEach(
                        (job, turnOutcome) -> {
                            switch (turnOutcome) {
                                case TurnOutcome.Placed placed -> last.remove(job);
                                case TurnOutcome.Preempts room -> put(job, room);
                                case TurnOutcome.Waits waits -> put(job, waits);
                            }
                        });
    }

    private void put(JobId job, TurnOutcome turnOutcome) {
        if (last.size() < MOST || last.containsKey(job)) {
            last.put(job, turnOutcome);
        }
    }

    void forget(JobId job) {
        last.remove(job);
    }

    /// What refused the job at its last turn, in a phrase; empty when it has not been refused. What
    /// is kept for the job is not part of it: that may have changed since, and the view knows it.
    String refusal(Job job) {
        return last.get(job.id()) instanceof TurnOutcome.Waits waits
                ? waits.because().stream()
                        .limit(MOST_REASONS)
                        .map(refusalCount -> words(refusalCount, job))
                        .collect(Collectors.joining("; "))
                : "";
    }

    /// Whether the job was refused for what nodes are, so that nothing that ends lets it start.
    boolean needsOtherNodes(JobId job) {
        return last.get(job) instanceof TurnOutcome.Waits waits
                && waits.because().stream()
                        .anyMatch(
                                one ->
                                        one.nodes() == 0
                                                && one.refusal().distance() == Refusal.FARTHEST);
    }

    private static String words(RefusalCount refusalCount, Job job) {
        String why = RefusalText.of(refusalCount.refusal().why(), refusalCount, job);
        return refusalCount.nodes() == 0
                ? why
                : refusalCount.nodes() + (refusalCount.nodes() == 1 ? " node: " : " nodes: ") + why;
    }
}
