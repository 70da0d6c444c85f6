package io.gpusched.server.view;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RefusalCount;
import io.gpusched.core.policy.TurnOutcome;
import io.gpusched.core.queue.WaitClass;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/// The outcome of the last attempt to place each waiting job. A cycle tries only jobs at the head
/// of their class, so most jobs of a long queue are not in here; the number is bounded too. The
/// follower's thread writes it, any thread reads it.
///
/// A job that was tried and is no longer the head of its class is not tried again. The answer to
/// the head applies to it too and is newer, so the latest refusal of each class is kept as well.
/// That the head was placed, or that jobs are preempted for it, tells nothing of the others.
public final class LatestTurns {
    private static final int MOST = 50_000;

    private final ConcurrentHashMap<JobId, TurnOutcome> last = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<WaitClass.Key, TurnOutcome.Waits> ofClass =
            new ConcurrentHashMap<>();
    private volatile boolean byLength;

    void add(CycleResult cycleResult, Engine engine) {
        byLength = engine.policy().goesByLength();
        cycleResult
                .attempts()
                .forEach(
                        (id, turnOutcome) -> {
                            Job job = engine.state().job(id);
                            if (job != null && turnOutcome instanceof TurnOutcome.Waits waits) {
                                put(WaitClass.Key.of(job, byLength), waits);
                            }
                            switch (turnOutcome) {
                                case TurnOutcome.Placed placed -> last.remove(id);
                                case TurnOutcome.Preempts room -> put(id, room);
                                case TurnOutcome.Waits waits -> put(id, waits);
                            }
                        });
    }

    private void put(JobId job, TurnOutcome turnOutcome) {
        if (last.size() < MOST || last.containsKey(job)) {
            last.put(job, turnOutcome);
        }
    }

    private void put(WaitClass.Key key, TurnOutcome.Waits waits) {
        if (ofClass.size() >= MOST) {
            ofClass.clear();
        }
        ofClass.put(key, waits);
    }

    void forget(JobId job) {
        last.remove(job);
    }

    /// What refused the job, or the head of its class since, at the last turn; empty when the job
    /// has not been refused. What is kept for the job is not part of it: that may have changed
    /// since, and the view knows it.
    List<RefusalCount> refusals(Job job) {
        return last.get(job.id()) instanceof TurnOutcome.Waits own
                ? ofClass.getOrDefault(WaitClass.Key.of(job, byLength), own).because()
                : List.of();
    }

    /// Whether the job was refused for what nodes are, so that nothing that ends lets it start.
    boolean needsOtherNodes(Job job) {
        return refusals(job).stream()
                .anyMatch(one -> one.nodes() == 0 && one.refusal().distance() == Refusal.FARTHEST);
    }
}
