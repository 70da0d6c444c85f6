package io.gpusched.sim.metrics;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Measures a run from its batches; [#measured] returns the result.
///
/// Time counts from the first submission to the last end of a job, or to the end of the observed
/// time if jobs are left. For each event, the meter updates the sums over nodes ([FleetUsage]) and
/// the account of the run that changes ([RunUsage]).
public final class RunMeter implements Listener {
    /// Bounded slowdown counts shorter runs as this long, so that a job of one second that waits a
    /// minute does not dominate.
    static final double SLOWDOWN_BOUND = 10;

    private static final int CURVE = 200;

    private static final class Live {
        final JobSpec spec;
        final JobTotals jobTotals;
        final Instant submitted;
        boolean started;
        @Nullable RunUsage run;
        double kept;

        Live(JobSpec spec, JobTotals jobTotals, Instant submitted) {
            this.spec = spec;
            this.jobTotals = jobTotals;
            this.submitted = submitted;
        }
    }

    private final FleetUsage fleetUsage;
    private final Duration checkpointEvery;
    private final Map<JobId, Live> live = new LinkedHashMap<>();
    private final TreeMap<TenantId, JobTotals> tenants = new TreeMap<>();
    private final TimeSeries timeSeries = new TimeSeries(4, 60);
    private final GanttBars ganttBars = new GanttBars();
    private long waiting;
    private long ended;
    private @Nullable Instant first;
    private Instant now = Instant.MIN;
    private Instant lastEnd = Instant.MIN;
    private FleetUsage.Totals atLastEnd = FleetUsage.Totals.NONE;

    /// @param gridIntensity the carbon intensity where the market of the nodes sets none
    /// @param checkpointEvery how often jobs save their work; zero if they save it when they are
    ///        preempted
    public RunMeter(GridIntensity gridIntensity, Duration checkpointEvery) {
        this.fleetUsage = new FleetUsage(gridIntensity);
        this.checkpointEvery = checkpointEvery;
    }

    @Override
    public void concluded(Batch batch, CycleResult cycleResult) {
        batch.facts().forEach(this::take);
        batch.decided().forEach(this::take);
        QuotaWaits.note(cycleResult.attempts(), this::account);
    }

    private @Nullable JobTotals account(JobId id) {
        Live job = live.get(id);
        return job == null ? null : job.jobTotals;
    }

    private void waits(JobTotals jobTotals, int more) {
        waiting += more;
        jobTotals.waiting += more;
    }

    /// The number of ended jobs so far, for progress displays.
    public long ended() {
        return ended;
    }

    /// Takes one event after the other.
    public void take(Event event) {
        pass(event.at());
        switch (event) {
            case Event.JobSubmitted e -> submitted(e);
            case Event.AttemptPlaced e -> placed(e);
            case Event.AttemptRunning e -> runs(e.attempt().job());
            case Event.TaskIdle e -> idle(e);
            case Event.JobRequeued e -> requeued(e);
            case Event.JobEnded e -> ended(e);
            case Event.NodeJoined e -> joined(e.node());
            case Event.NodeChanged e -> fleetUsage.changed(e.node(), e.status(), seconds());
            case Event.NodeRemoved e -> fleetUsage.removed(e.node(), seconds());
            case Event.GpuChanged e -> {
                fleetUsage.condition(e, seconds());
                settleAll();
            }
            case Event.MarketChanged e -> {
                fleetUsage.priced(e.market(), seconds());
                settleAll();
            }
            default -> {}
        }
    }

    /// Counts a job that the cell refused: it is in no other metric.
    public void refused(JobSpec spec) {
        tenants.computeIfAbsent(spec.tenant(), id -> new JobTotals()).refused++;
    }

    private double seconds() {
        return first == null ? 0 : RunUsage.seconds(first, now);
    }

    private void pass(Instant to) {
        Instant from = now;
        now = to;
        if (first == null || !to.isAfter(from)) {
            return;
        }
        fleetUsage.pass(from, to);
        tenants.values().forEach(tenant -> QuotaWaits.pass(tenant, RunUsage.seconds(from, to)));
        timeSeries.add(
                RunUsage.seconds(first, from),
                RunUsage.seconds(first, to),
                fleetUsage.gpusThere(),
                fleetUsage.heldMilli() / 1000.0,
                fleetUsage.busyMilli() / 1000.0,
                (double) waiting);
    }

    private void joined(Node node) {
        NodeUsage before = fleetUsage.place(node.id());
        NodeUsage after = fleetUsage.joined(node, seconds());
        if (before != null && before != after) {
            for (Live job : live.values()) {
                if (job.run != null) {
                    job.run.move(before, after, now, seconds(), fleetUsage);
                }
            }
        }
    }

    private void settleAll() {
        for (Live job : live.values()) {
            if (job.run != null) {
                job.run.settle(now, fleetUsage);
            }
        }
    }

    private void submitted(Event.JobSubmitted e) {
        first = first == null ? e.at() : first;
        JobTotals jobTotals = tenants.computeIfAbsent(e.spec().tenant(), id -> new JobTotals());
        live.put(e.job(), new Live(e.spec(), jobTotals, e.at()));
        jobTotals.submitted++;
        waits(jobTotals, 1);
        for (Role role : e.spec().roles()) {
            long gpus = Math.ceilDiv(role.shape().gpus().milliGpus(), 1000L);
            for (int i = 0; i < role.min(); i++) {
                fleetUsage.asked((int) gpus);
            }
        }
    }

    private void placed(Event.AttemptPlaced e) {
        Live job = live.get(e.attempt().job());
        if (job == null) {
            return;
        }
        var stays = new ArrayList<GpuHold>();
        for (Slot slot : e.on().slots()) {
            NodeUsage nodeUsage = fleetUsage.place(slot.node());
            if (nodeUsage != null) {
                List<GpuHold> more = GpuHold.of(slot, nodeUsage);
                more.forEach(gpuHold -> fleetUsage.hold(gpuHold, 1, seconds()));
                stays.addAll(more);
            }
        }
        GanttBars.BarRange drawn =
                ganttBars.begin(e.attempt().job(), job.spec.tenant(), stays, seconds());
        job.run = new RunUsage(stays, e.at(), job.jobTotals, drawn);
        waits(job.jobTotals, -1);
        if (!job.started) {
            job.started = true;
            job.jobTotals.waits.add(RunUsage.seconds(job.submitted, e.at()));
        }
    }

    private void runs(JobId id) {
        Live job = live.get(id);
        if (job != null && job.run != null && !job.run.runs) {
            RunUsage run = job.run;
            run.runs = true;
            run.ranFrom = now;
            run.stays.forEach(gpuHold -> fleetUsage.busy(gpuHold, 1, seconds()));
            run.settle(now, fleetUsage);
        }
    }

    private void idle(Event.TaskIdle e) {
        Live job = live.get(e.attempt().job());
        if (job == null || job.run == null || !job.run.runs) {
            return;
        }
        RunUsage run = job.run;
        boolean was = run.idle.containsKey(e.rank());
        if (was == (e.since() != null)) {
            return;
        }
        int sign = was ? 1 : -1;
        for (GpuHold gpuHold : run.stays) {
            if (gpuHold.rank() == e.rank()) {
                fleetUsage.busy(gpuHold, sign, seconds());
                if (e.since() != null) {
                    fleetUsage.wasNotUsed(
                            gpuHold.milli() / 1000.0 * RunUsage.seconds(e.since(), now));
                }
            }
        }
        if (was) {
            run.idle.remove(e.rank());
        } else {
            run.idle.put(e.rank(), now);
        }
        run.settle(now, fleetUsage);
    }

    private void requeued(Event.JobRequeued e) {
        Live job = live.get(e.job());
        if (job == null) {
            return;
        }
        RunUsage run = release(job, true);
        if (run != null) {
            double kept = kept(job, run, e.lost());
            job.kept += kept;
            job.jobTotals.lostGpuHours += (run.heldSeconds(now) - kept) * run.milli() / 3.6e6;
            waits(job.jobTotals, 1);
        }
        job.jobTotals.preemptions += e.lost() || e.moved() || e.withdrawn() ? 0 : 1;
        job.jobTotals.losses += e.lost() ? 1 : 0;
    }

    /// The seconds of an interrupted run whose work was saved.
    private double kept(Live job, RunUsage run, boolean lost) {
        if (!run.runs || (lost && checkpointEvery.isZero())) {
            return 0;
        }
        Duration ran = Duration.between(run.ranFrom, now);
        return ran.minus(job.spec.onLoss().lost(ran, checkpointEvery)).toMillis() / 1000.0;
    }

    private void ended(Event.JobEnded e) {
        Live job = live.remove(e.job());
        if (job == null) {
            return;
        }
        ended++;
        RunUsage run = release(job, e.outcome().result() == Outcome.Result.CANCELLED);
        waits(job.jobTotals, run == null ? -1 : 0);
        job.jobTotals.ended(e.outcome().result());
        lastEnd = now;
        atLastEnd = fleetUsage.totals(seconds());
        if (run != null && e.outcome().result() != Outcome.Result.CANCELLED) {
            finished(job, run, e.outcome().result() == Outcome.Result.COMPLETED);
        }
    }

    private void finished(Live job, RunUsage run, boolean completed) {
        double took = RunUsage.seconds(job.submitted, now);
        double ran = job.kept + run.heldSeconds(now);
        JobTotals jobTotals = job.jobTotals;
        if (completed) {
            jobTotals.completions.add(took);
        }
        jobTotals.slowdowns.add(Math.max(1, took / Math.max(ran, SLOWDOWN_BOUND)));
        jobTotals.speeds.add(took <= 0 ? 1 : ran / took);
        double at = RunUsage.seconds(first == null ? job.submitted : first, job.submitted);
        jobTotals.finished.add(new FairFinish.Finished(at, ran, job.spec.milliGpus(), took));
    }

    /// Releases what the run holds, if there is one.
    private @Nullable RunUsage release(Live job, boolean interrupted) {
        RunUsage run = job.run;
        if (run == null) {
            return null;
        }
        run.settle(now, fleetUsage);
        run.stays.forEach(gpuHold -> run.leave(gpuHold, seconds(), fleetUsage));
        ganttBars.end(run.drawn, seconds(), interrupted);
        job.run = null;
        return run;
    }

    /// Returns the measurements; may be called once. A job that has not ended counts with what is
    /// known of it: its waiting time so far if it never started, and the fraction of its time in
    /// which it held its GPUs. Otherwise a policy would gain by never starting some jobs.
    ///
    /// @param end the end of the observed time
    public RunMeasurements measured(Instant end) {
        if (!live.isEmpty() && end.isAfter(now)) {
            pass(end);
        }
        for (Live job : live.values()) {
            if (job.run != null) {
                job.run.settle(now, fleetUsage);
                ganttBars.end(job.run.drawn, seconds(), false);
            }
            unfinished(job);
        }
        FleetUsage.Totals totals = live.isEmpty() ? atLastEnd : fleetUsage.totals(seconds());
        double until =
                live.isEmpty() && first != null ? RunUsage.seconds(first, lastEnd) : seconds();
        return new Summary(tenants, fleetUsage.mostThere(), totals, until)
                .measured(CURVE, timeSeries, ganttBars.all());
    }

    private void unfinished(Live job) {
        double been = RunUsage.seconds(job.submitted, now);
        if (!job.started) {
            job.jobTotals.waits.add(been);
        }
        if (been > 0) {
            double ran = job.kept + (job.run == null ? 0 : job.run.heldSeconds(now));
            job.jobTotals.speeds.add(ran / been);
        }
    }
}
