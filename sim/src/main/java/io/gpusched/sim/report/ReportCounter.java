package io.gpusched.sim.report;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.policy.PolicySettings;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Computes a [RunReport] from batches. It keeps a few numbers per job, and after the end of a job
/// only its waiting and completion time.
public final class ReportCounter implements Listener {
    private static final double MILLI_GPU_MILLIS_PER_HOUR = 3_600_000_000.0;

    private static final class Live {
        final JobSpec spec;
        final Instant submitted;
        @Nullable Instant placed;
        @Nullable Instant running;
        boolean startedBefore;

        Live(JobSpec spec, Instant submitted) {
            this.spec = spec;
            this.submitted = submitted;
        }
    }

    private static final class Figures {
        long submitted;
        long completed;
        long failed;
        long cancelled;
        long preemptions;
        long losses;
        double milliGpuMillis;
        final DurationSpread.Durations waits = new DurationSpread.Durations();
        final DurationSpread.Durations completions = new DurationSpread.Durations();

        RunReport.Group group(String name, double stillHeld) {
            return new RunReport.Group(
                    name,
                    submitted,
                    completed,
                    failed,
                    cancelled,
                    submitted - completed - failed - cancelled,
                    preemptions,
                    losses,
                    (milliGpuMillis + stillHeld) / MILLI_GPU_MILLIS_PER_HOUR,
                    DurationSpread.of(waits),
                    DurationSpread.of(completions));
        }
    }

    private final Duration checkpointEvery;
    private final Map<JobId, Live> live = new HashMap<>();
    private final Map<TenantId, Figures> tenants = new TreeMap<>();
    private final Figures all = new Figures();
    private final Map<NodeId, Integer> gpus = new HashMap<>();
    private final Map<NodeId, Boolean> lost = new HashMap<>();

    private @Nullable Instant first;
    private @Nullable Instant lastEnd;
    private @Nullable Instant before;
    private long gpusThere;
    private double thereMillis;
    private double thereMillisAtLastEnd;
    private long heldMilliGpus;
    private double heldMilliGpuMillis;
    private double heldAtLastEnd;
    private double wasted;
    private long batches;
    private long events;
    private CycleResult.Work work = CycleResult.Work.NONE;

    public ReportCounter() {
        this(PolicySettings.USUAL_CHECKPOINTS);
    }

    /// @param checkpointEvery how often jobs that save their work do so; zero when they do it as
    ///        they are stopped
    public ReportCounter(Duration checkpointEvery) {
        this.checkpointEvery = checkpointEvery;
    }

    @Override
    public void concluded(Batch batch, CycleResult cycleResult) {
        batches++;
        events += batch.size();
        work = work.plus(cycleResult.work());
        batch.facts().forEach(this::count);
        batch.decided().forEach(this::count);
    }

    /// The number of ended jobs so far, for progress displays.
    public long ended() {
        return all.completed + all.failed + all.cancelled;
    }

    /// @param end the end of the observed time; jobs that still wait have waited until then
    public RunReport report(String scenario, String policy, long seed, Instant end) {
        boolean over = live.isEmpty();
        if (!over) {
            watchedUntil(end);
        }
        double there = over ? thereMillisAtLastEnd : thereMillis;
        double held = over ? heldAtLastEnd : heldMilliGpuMillis;
        Map<TenantId, Double> still = stillHeld();
        double allStill = still.values().stream().mapToDouble(Double::doubleValue).sum();
        var groups = new ArrayList<RunReport.Group>();
        tenants.forEach(
                (id, figures) -> groups.add(figures.group(id.name(), still.getOrDefault(id, 0.0))));
        Duration makespan =
                first == null || lastEnd == null ? Duration.ZERO : Duration.between(first, lastEnd);
        return new RunReport(
                scenario,
                policy,
                seed,
                makespan,
                there == 0 ? 0 : held / 1000 / there,
                wasted / MILLI_GPU_MILLIS_PER_HOUR,
                all.group("all", allStill),
                groups,
                new RunReport.Effort(
                        batches,
                        events,
                        work.turns(),
                        work.nodesLookedAt(),
                        work.candidatesScored()));
    }

    private void watchedUntil(Instant end) {
        passTime(end);
        lastEnd = end;
        for (Live job : live.values()) {
            if (!job.startedBefore) {
                job.startedBefore = true;
                for (Figures figures : figuresOf(job.spec)) {
                    figures.waits.add(Duration.between(job.submitted, end));
                }
            }
        }
    }

    /// GPU time of unfinished runs so far, by tenant.
    private Map<TenantId, Double> stillHeld() {
        var still = new TreeMap<TenantId, Double>();
        for (Live job : live.values()) {
            if (job.placed != null && before != null) {
                double millis = (double) Duration.between(job.placed, before).toMillis();
                still.merge(job.spec.tenant(), job.spec.milliGpus() * millis, Double::sum);
            }
        }
        return still;
    }

    private void count(Event event) {
        passTime(event.at());
        switch (event) {
            case Event.JobSubmitted e -> submitted(e);
            case Event.AttemptPlaced e -> placed(e);
            case Event.AttemptRunning e -> {
                Live job = live.get(e.attempt().job());
                if (job != null) {
                    job.running = e.at();
                }
            }
            case Event.JobRequeued e -> requeued(e);
            case Event.JobEnded e -> ended(e);
            case Event.NodeJoined e -> {
                gpus.put(e.node().id(), e.node().gpus().size());
                recount();
            }
            case Event.NodeChanged e -> {
                lost.put(e.node(), e.status().reach() == NodeStatus.Reach.LOST);
                recount();
            }
            case Event.NodeRemoved e -> {
                gpus.remove(e.node());
                recount();
            }
            default -> {}
        }
    }

    private void passTime(Instant now) {
        if (before != null && first != null) {
            long millis = Duration.between(before, now).toMillis();
            thereMillis += (double) gpusThere * millis;
            heldMilliGpuMillis += (double) heldMilliGpus * millis;
        }
        before = now;
    }

    private void recount() {
        gpusThere = 0;
        gpus.forEach((node, count) -> gpusThere += lost.getOrDefault(node, false) ? 0 : count);
    }

    private void submitted(Event.JobSubmitted e) {
        if (first == null) {
            first = e.at();
        }
        live.put(e.job(), new Live(e.spec(), e.at()));
        for (Figures figures : figuresOf(e.spec())) {
            figures.submitted++;
        }
    }

    private void placed(Event.AttemptPlaced e) {
        Live job = live.get(e.attempt().job());
        if (job == null) {
            return;
        }
        heldMilliGpus += job.placed == null ? job.spec.milliGpus() : 0;
        job.placed = e.at();
        job.running = null;
        if (!job.startedBefore) {
            job.startedBefore = true;
            for (Figures figures : figuresOf(job.spec)) {
                figures.waits.add(Duration.between(job.submitted, e.at()));
            }
        }
    }

    private void requeued(Event.JobRequeued e) {
        Live job = live.get(e.job());
        if (job == null) {
            return;
        }
        double saved = (double) job.spec.milliGpus() * saved(job, e).toMillis();
        wasted += release(job, e.at()) - saved;
        for (Figures figures : figuresOf(job.spec)) {
            figures.preemptions += e.lost() || e.moved() || e.withdrawn() ? 0 : 1;
            figures.losses += e.lost() ? 1 : 0;
        }
    }

    /// The part of an ended run whose work was saved.
    private Duration saved(Live job, Event.JobRequeued e) {
        if (job.running == null || (e.lost() && checkpointEvery.isZero())) {
            return Duration.ZERO;
        }
        Duration ran = Duration.between(job.running, e.at());
        return ran.minus(job.spec.onLoss().lost(ran, checkpointEvery));
    }

    private void ended(Event.JobEnded e) {
        Live job = live.remove(e.job());
        if (job == null) {
            return;
        }
        release(job, e.at());
        lastEnd = e.at();
        thereMillisAtLastEnd = thereMillis;
        heldAtLastEnd = heldMilliGpuMillis;
        for (Figures figures : figuresOf(job.spec)) {
            switch (e.outcome().result()) {
                case COMPLETED -> {
                    figures.completed++;
                    figures.completions.add(Duration.between(job.submitted, e.at()));
                }
                case FAILED -> figures.failed++;
                case CANCELLED -> figures.cancelled++;
            }
        }
    }

    /// Counts the GPU time of the ended run, if there is one.
    private double release(Live job, Instant now) {
        Instant since = job.placed;
        if (since == null) {
            return 0;
        }
        job.placed = null;
        heldMilliGpus -= job.spec.milliGpus();
        double held = (double) job.spec.milliGpus() * Duration.between(since, now).toMillis();
        for (Figures figures : figuresOf(job.spec)) {
            figures.milliGpuMillis += held;
        }
        return held;
    }

    private List<Figures> figuresOf(JobSpec spec) {
        return List.of(all, tenants.computeIfAbsent(spec.tenant(), id -> new Figures()));
    }
}
