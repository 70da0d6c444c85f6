package io.gpusched.server.idle;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.IdleRules;
import io.gpusched.core.model.IdleTask;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.TaskState;
import io.gpusched.core.state.ClusterState;
import io.gpusched.server.agents.ReportInbox;
import io.gpusched.server.agents.Telemetry;
import io.gpusched.server.cell.Follower;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Detects running tasks that do not use their GPUs. It compares the telemetry with the placements,
/// and reports to the cell when a task stops using its GPUs and when it uses them again: two
/// reports, however many readings are between them.
///
///     readings ──▶ idle watch ──▶ TaskUse ──▶ the cell
///                      ▲                        │
///                      └── placements ◀─────────┘ durable batches
///
/// It reads its own reports back from the recorded events, so that a lost report is repeated and a
/// restarted server continues. Only the time that a task has been unused without being idle yet
/// starts again.
public final class IdleWatch implements Follower.BatchListener, Telemetry.Listener {
    private final IdleRules rules;
    private final Duration gap;
    private final ReportInbox inbox;
    private final Map<NodeId, Map<Integer, GpuUse>> devices = new HashMap<>();
    private final Map<JobId, Map<Integer, GpuHolder>> byJob = new HashMap<>();
    private final Map<NodeId, List<GpuHolder>> byNode = new HashMap<>();

    /// @param state the present placements; later changes come with the batches
    /// @param gap how long a node may send no telemetry before the unused time of its GPUs starts
    ///        again
    public IdleWatch(IdleRules rules, ClusterState state, Duration gap, ReportInbox inbox) {
        this.rules = rules;
        this.gap = gap;
        this.inbox = inbox;
        for (long number = state.jobs().first(); number <= state.jobs().last(); number++) {
            Job job = state.jobs().job(number);
            Run run = job == null ? null : job.phase().run();
            if (job != null && run != null) {
                for (Slot slot : run.on().slots()) {
                    if (run.tasks().get(slot.rank()) instanceof TaskState.Running) {
                        hold(job, run, slot, run.placed());
                    }
                }
            }
        }
        for (IdleTask task : state.idleTasks().all()) {
            note(task.attempt(), task.rank(), task.since());
        }
    }

    public IdleRules rules() {
        return rules;
    }

    @Override
    public void received(NodeId node, Telemetry.Reading reading) {
        var news = new ArrayList<Report>();
        synchronized (this) {
            Map<Integer, GpuUse> here = devices.computeIfAbsent(node, id -> new HashMap<>());
            for (Telemetry.GpuSample gpu : reading.gpus()) {
                here.computeIfAbsent(gpu.index(), index -> new GpuUse())
                        .read(gpu.utilizationPercent(), rules.threshold(), reading.at(), gap);
            }
            for (GpuHolder gpuHolder : byNode.getOrDefault(node, List.of())) {
                Report report = gpuHolder.news(here, rules, reading.at());
                if (report != null) {
                    news.add(report);
                }
            }
        }
        // Not under the lock: the inbox may be full, and the thread that empties it waits for this
        // watch.
        news.forEach(report -> inbox.tell(report, () -> {}));
    }

    @Override
    public synchronized void applied(Batch batch, CycleResult cycleResult, Engine engine) {
        batch.facts().forEach(event -> note(event, engine.state()));
        batch.decided().forEach(event -> note(event, engine.state()));
    }

    private void note(Event event, ClusterState state) {
        if (event instanceof Event.TaskChanged moved) {
            if (moved.state() instanceof TaskState.Running) {
                began(moved, state);
            } else {
                release(moved.attempt().job(), moved.rank());
            }
        } else if (event instanceof Event.TaskIdle turn) {
            note(turn.attempt(), turn.rank(), turn.since());
        } else if (event instanceof Event.JobRequeued back) {
            release(back.job());
        } else if (event instanceof Event.JobEnded over) {
            release(over.job());
        } else if (event instanceof Event.NodeRemoved removed) {
            devices.remove(removed.node());
        }
    }

    /// Adds a running task, unless the same batch has ended it.
    private void began(Event.TaskChanged moved, ClusterState state) {
        Job job = state.job(moved.attempt().job());
        Run run = job == null ? null : job.phase().run();
        if (job != null && run != null && run.id().equals(moved.attempt())) {
            for (Slot slot : run.on().slots()) {
                if (slot.rank() == moved.rank()) {
                    hold(job, run, slot, moved.at());
                }
            }
        }
    }

    private void hold(Job job, Run run, Slot slot, Instant from) {
        release(job.id(), slot.rank());
        long gpus = slot.grant().mask();
        if (gpus != 0) {
            long milli = job.spec().roles().get(slot.role()).shape().gpus().milliGpus();
            var gpuHolder = new GpuHolder(run.id(), slot.rank(), slot.node(), gpus, milli, from);
            byJob.computeIfAbsent(job.id(), id -> new HashMap<>()).put(slot.rank(), gpuHolder);
            byNode.computeIfAbsent(slot.node(), id -> new ArrayList<>()).add(gpuHolder);
        }
    }

    private void note(AttemptId attempt, int rank, @Nullable Instant since) {
        GpuHolder gpuHolder = byJob.getOrDefault(attempt.job(), Map.of()).get(rank);
        if (gpuHolder != null && gpuHolder.attempt.equals(attempt)) {
            gpuHolder.recorded(since);
        }
    }

    private void release(JobId job) {
        Map<Integer, GpuHolder> ranks = byJob.remove(job);
        if (ranks != null) {
            ranks.values().forEach(this::leave);
        }
    }

    private void release(JobId job, int rank) {
        Map<Integer, GpuHolder> ranks = byJob.get(job);
        GpuHolder gpuHolder = ranks == null ? null : ranks.remove(rank);
        if (ranks != null && gpuHolder != null) {
            leave(gpuHolder);
            if (ranks.isEmpty()) {
                byJob.remove(job);
            }
        }
    }

    private void leave(GpuHolder gpuHolder) {
        List<GpuHolder> others = byNode.get(gpuHolder.node);
        if (others != null) {
            others.remove(gpuHolder);
            if (others.isEmpty()) {
                byNode.remove(gpuHolder.node);
            }
        }
    }

    /// Tasks that hold GPUs without using them, by job and rank. Some of the tasks use a part of
    /// their GPUs.
    public Map<JobId, List<IdleRow>> rows(Instant now) {
        var rows = new ArrayList<IdleRow>();
        synchronized (this) {
            byNode.forEach(
                    (node, holders) -> {
                        Map<Integer, GpuUse> here = devices.getOrDefault(node, Map.of());
                        for (GpuHolder gpuHolder : holders) {
                            IdleRow row = gpuHolder.row(here, rules, now);
                            if (row != null) {
                                rows.add(row);
                            }
                        }
                    });
        }
        rows.sort(
                Comparator.comparing((IdleRow row) -> row.attempt().job())
                        .thenComparingInt(IdleRow::rank));
        var byJobs = new LinkedHashMap<JobId, List<IdleRow>>();
        for (IdleRow row : rows) {
            byJobs.computeIfAbsent(row.attempt().job(), id -> new ArrayList<>()).add(row);
        }
        return byJobs;
    }

    /// The number of GPUs that are held and not used.
    public double idleGpus(Instant now) {
        return rows(now).values().stream().flatMap(List::stream).mapToLong(IdleRow::idle).sum()
                / 1000.0;
    }
}
