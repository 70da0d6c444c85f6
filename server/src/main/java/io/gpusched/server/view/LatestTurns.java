package io.gpusched.server.view;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.RefusalCount;
import io.gpusched.core.policy.TurnOutcome;

import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// The outcome of the last attempt to place each waiting job. A cycle tries only jobs at the head
/// of their class, so most jobs of a long queue are not in here; the number is bounded too. The
/// follower's thread writes it, any thread reads it.
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

    /// Why the job waits, in a sentence; empty if no cycle has tried to place it.
    public String why(Job job) {
        return switch (last.get(job.id())) {
            case null -> "";
            case TurnOutcome.Placed placed -> "";
            case TurnOutcome.Preempts room when room.victims().isEmpty() ->
                    "waiting for the room on " + room.on() + " that others are leaving";
            case TurnOutcome.Preempts room ->
                    "waiting for "
                            + room.victims().size()
                            + (room.victims().size() == 1 ? " job" : " jobs")
                            + " to make room on "
                            + room.on();
            case TurnOutcome.Waits waits ->
                    waits.because().stream()
                                    .limit(MOST_REASONS)
                                    .map(refusalCount -> words(refusalCount, job))
                                    .collect(Collectors.joining("; "))
                            + (waits.reserved() == null
                                    ? ""
                                    : "; a place is reserved from " + waits.reserved());
        };
    }

    private static String words(RefusalCount refusalCount, Job job) {
        String why = RefusalText.of(refusalCount.refusal().why(), refusalCount, job);
        return refusalCount.nodes() == 0
                ? why
                : refusalCount.nodes() + (refusalCount.nodes() == 1 ? " node: " : " nodes: ") + why;
    }
}
