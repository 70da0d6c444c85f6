package io.gpusched.server.view;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.JobId;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/// What has happened to each job since this server started, beyond its submission. Written by the
/// follower's thread, read by any.
///
/// It keeps the events themselves, which the ledger holds on to anyway, and only a bounded number
/// for each job: one that is preempted for ever must not fill the memory.
public final class History {
    private static final int MOST_PER_JOB = 100;

    private final ConcurrentHashMap<JobId, List<Event>> events = new ConcurrentHashMap<>();

    void add(Batch batch) {
        batch.facts().forEach(this::add);
        batch.decided().forEach(this::add);
    }

    void forget(JobId job) {
        events.remove(job);
    }

    /// What happened to the job, oldest first.
    public List<Event> of(JobId job) {
        return events.getOrDefault(job, List.of());
    }

    private void add(Event event) {
        switch (event) {
            case Event.JobSubmitted e -> {}
            case Event.JobUpdated e -> add(e.job(), e);
            case Event.JobHeld e -> add(e.job(), e);
            case Event.JobReleased e -> add(e.job(), e);
            case Event.AttemptPlaced e -> add(e.attempt().job(), e);
            case Event.TaskChanged e -> {}
            case Event.AttemptRunning e -> add(e.attempt().job(), e);
            case Event.AttemptStopping e -> add(e.attempt().job(), e);
            case Event.JobRequeued e -> add(e.job(), e);
            case Event.JobEnded e -> add(e.job(), e);
            case Event.NodeJoined e -> {}
            case Event.NodeChanged e -> {}
            case Event.NodeRemoved e -> {}
            case Event.GpuChanged e -> {}
            case Event.ForeignChanged e -> {}
            case Event.TenantPut e -> {}
            case Event.TenantRemoved e -> {}
            case Event.ClaimMade e -> {}
            case Event.ClaimDropped e -> {}
            case Event.AgentJoined e -> {}
            case Event.AgentLost e -> {}
            case Event.PoolPut e -> {}
            case Event.PoolLoadChanged e -> {}
            case Event.MarketChanged e -> {}
            case Event.Observed e -> {}
            case Event.EngineStarted e -> {}
            case Event.PolicyChanged e -> {}
        }
    }

    private void add(JobId job, Event event) {
        events.compute(
                job,
                (id, before) -> {
                    if (before == null) {
                        return List.of(event);
                    }
                    var more = new ArrayList<>(before);
                    if (more.size() == MOST_PER_JOB) {
                        more.removeFirst();
                    }
                    more.add(event);
                    return List.copyOf(more);
                });
    }
}
