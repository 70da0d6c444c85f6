package io.gpusched.sim.metrics;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.engine.Conclusion;
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

/// Measures a run as batches come by; [#measured] says what it has come to.
///
/// Time counts from the first submission to the last end of a job, and when jobs are left, to the
/// end of what was looked at. For each event, the sums over nodes ([Fleet]) and the account of the
/// run that changes ([Running]) are brought up to date.
public final class Meter implements Listener {
    /// Bounded slowdown takes shorter runs for this long, so that a job of a second that waits a
    /// minute does not drown the rest.
    static final double SLOWDOWN_BOUND = 10;

    private static final int CURVE = 200;

    private static final class Live {
        final JobSpec spec;
        final Account account;
        final Instant submitted;
        boolean started;
        @Nullable Running run;
        double kept;

        Live(JobSpec spec, Account account, Instant submitted) {
            this.spec = spec;
            this.account = account;
            this.submitted = submitted;
        }
    }

    private final Fleet fleet;
    private final Duration checkpointEvery;
    private final Map<JobId, Live> live = new LinkedHashMap<>();
    private final TreeMap<TenantId, Account> tenants = new TreeMap<>();
    private final Series series = new Series(4, 60);
    private final Bars bars = new Bars();
    private long waiting;
    private long ended;
    private @Nullable Instant first;
    private Instant now = Instant.MIN;
    private Instant lastEnd = Instant.MIN;
    private Fleet.Totals atLastEnd = Fleet.Totals.NONE;

    /// @param intensity what a kilowatt-hour stands for where the nodes' market does not say
    /// @param checkpointEvery how often jobs that save their work do so; zero when they do it as
    ///        they are made to leave
    public Meter(Intensity intensity, Duration checkpointEvery) {
        this.fleet = new Fleet(intensity);
        this.checkpointEvery = checkpointEvery;
    }

    @Override
    public void concluded(Batch batch, Conclusion conclusion) {
        batch.facts().forEach(this::take);
        batch.decided().forEach(this::take);
        QuotaWaits.note(conclusion.attempts(), this::account);
    }

    private @Nullable Account account(JobId id) {
        Live job = live.get(id);
        return job == null ? null : job.account;
    }

    private void waits(Account account, int more) {
        waiting += more;
        account.waiting += more;
    }

    /// How many jobs have ended so far, for those who show progress.
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
            case Event.NodeChanged e -> fleet.changed(e.node(), e.status(), seconds());
            case Event.NodeRemoved e -> fleet.removed(e.node(), seconds());
            case Event.GpuChanged e -> {
                fleet.condition(e, seconds());
                settleAll();
            }
            case Event.MarketChanged e -> {
                fleet.priced(e.market(), seconds());
                settleAll();
            }
            default -> {}
        }
    }

    /// A job that came and that the cell would not take: it is in no other figure.
    public void refused(JobSpec spec) {
        tenants.computeIfAbsent(spec.tenant(), id -> new Account()).refused++;
    }

    private double seconds() {
        return first == null ? 0 : Running.seconds(first, now);
    }

    private void pass(Instant to) {
        Instant from = now;
        now = to;
        if (first == null || !to.isAfter(from)) {
            return;
        }
        fleet.pass(from, to);
        tenants.values().forEach(tenant -> QuotaWaits.pass(tenant, Running.seconds(from, to)));
        series.add(
                Running.seconds(first, from),
                Running.seconds(first, to),
                fleet.gpusThere(),
                fleet.heldMilli() / 1000.0,
                fleet.busyMilli() / 1000.0,
                (double) waiting);
    }

    private void joined(Node node) {
        Place before = fleet.place(node.id());
        Place after = fleet.joined(node, seconds());
        if (before != null && before != after) {
            for (Live job : live.values()) {
                if (job.run != null) {
                    job.run.move(before, after, now, seconds(), fleet);
                }
            }
        }
    }

    private void settleAll() {
        for (Live job : live.values()) {
            if (job.run != null) {
                job.run.settle(now, fleet);
            }
        }
    }

    private void submitted(Event.JobSubmitted e) {
        first = first == null ? e.at() : first;
        Account account = tenants.computeIfAbsent(e.spec().tenant(), id -> new Account());
        live.put(e.job(), new Live(e.spec(), account, e.at()));
        account.submitted++;
        waits(account, 1);
        for (Role role : e.spec().roles()) {
            long gpus = Math.ceilDiv(role.shape().gpus().milliGpus(), 1000L);
            for (int i = 0; i < role.min(); i++) {
                fleet.asked((int) gpus);
            }
        }
    }

    private void placed(Event.AttemptPlaced e) {
        Live job = live.get(e.attempt().job());
        if (job == null) {
            return;
        }
        var stays = new ArrayList<Stay>();
        for (Slot slot : e.on().slots()) {
            Place place = fleet.place(slot.node());
            if (place != null) {
                List<Stay> more = Stay.of(slot, place);
                more.forEach(stay -> fleet.hold(stay, 1, seconds()));
                stays.addAll(more);
            }
        }
        Bars.Drawn drawn = bars.begin(e.attempt().job(), job.spec.tenant(), stays, seconds());
        job.run = new Running(stays, e.at(), job.account, drawn);
        waits(job.account, -1);
        if (!job.started) {
            job.started = true;
            job.account.waits.add(Running.seconds(job.submitted, e.at()));
        }
    }

    private void runs(JobId id) {
        Live job = live.get(id);
        if (job != null && job.run != null && !job.run.runs) {
            Running run = job.run;
            run.runs = true;
            run.ranFrom = now;
            run.stays.forEach(stay -> fleet.busy(stay, 1, seconds()));
            run.settle(now, fleet);
        }
    }

    private void idle(Event.TaskIdle e) {
        Live job = live.get(e.attempt().job());
        if (job == null || job.run == null || !job.run.runs) {
            return;
        }
        Running run = job.run;
        boolean was = run.idle.containsKey(e.rank());
        if (was == (e.since() != null)) {
            return;
        }
        int sign = was ? 1 : -1;
        for (Stay stay : run.stays) {
            if (stay.rank() == e.rank()) {
                fleet.busy(stay, sign, seconds());
                if (e.since() != null) {
                    fleet.wasNotUsed(stay.milli() / 1000.0 * Running.seconds(e.since(), now));
                }
            }
        }
        if (was) {
            run.idle.remove(e.rank());
        } else {
            run.idle.put(e.rank(), now);
        }
        run.settle(now, fleet);
    }

    private void requeued(Event.JobRequeued e) {
        Live job = live.get(e.job());
        if (job == null) {
            return;
        }
        Running run = release(job, true);
        if (run != null) {
            double kept = kept(job, run, e.lost());
            job.kept += kept;
            job.account.lostGpuHours += (run.heldSeconds(now) - kept) * run.milli() / 3.6e6;
            waits(job.account, 1);
        }
        job.account.preemptions += e.lost() ? 0 : 1;
        job.account.losses += e.lost() ? 1 : 0;
    }

    /// The seconds of an interrupted run that need not be done again.
    private double kept(Live job, Running run, boolean lost) {
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
        Running run = release(job, e.outcome().result() == Outcome.Result.CANCELLED);
        waits(job.account, run == null ? -1 : 0);
        job.account.ended(e.outcome().result());
        lastEnd = now;
        atLastEnd = fleet.totals(seconds());
        if (run != null && e.outcome().result() != Outcome.Result.CANCELLED) {
            finished(job, run, e.outcome().result() == Outcome.Result.COMPLETED);
        }
    }

    private void finished(Live job, Running run, boolean completed) {
        double took = Running.seconds(job.submitted, now);
        double ran = job.kept + run.heldSeconds(now);
        Account account = job.account;
        if (completed) {
            account.completions.add(took);
        }
        account.slowdowns.add(Math.max(1, took / Math.max(ran, SLOWDOWN_BOUND)));
        account.speeds.add(took <= 0 ? 1 : ran / took);
        double at = Running.seconds(first == null ? job.submitted : first, job.submitted);
        account.finished.add(new FairFinish.Finished(at, ran, job.spec.milliGpus(), took));
    }

    /// Takes back what the run held, if there is one.
    private @Nullable Running release(Live job, boolean interrupted) {
        Running run = job.run;
        if (run == null) {
            return null;
        }
        run.settle(now, fleet);
        run.stays.forEach(stay -> run.leave(stay, seconds(), fleet));
        bars.end(run.drawn, seconds(), interrupted);
        job.run = null;
        return run;
    }

    /// The figures of all that has been taken; to be asked for once. A job that is still there
    /// counts with what is known of it: how long it has waited so far if it never started, and the
    /// part of its time in which it held what it asked for. Else those who are kept waiting for
    /// ever would make the figures better.
    ///
    /// @param end until when it was watched, whether or not anything happened in the end
    public Measured measured(Instant end) {
        if (!live.isEmpty() && end.isAfter(now)) {
            pass(end);
        }
        for (Live job : live.values()) {
            if (job.run != null) {
                job.run.settle(now, fleet);
                bars.end(job.run.drawn, seconds(), false);
            }
            unfinished(job);
        }
        Fleet.Totals totals = live.isEmpty() ? atLastEnd : fleet.totals(seconds());
        double until =
                live.isEmpty() && first != null ? Running.seconds(first, lastEnd) : seconds();
        return new Summary(tenants, fleet.mostThere(), totals, until)
                .measured(CURVE, series, bars.all());
    }

    private void unfinished(Live job) {
        double been = Running.seconds(job.submitted, now);
        if (!job.started) {
            job.account.waits.add(been);
        }
        if (been > 0) {
            double ran = job.kept + (job.run == null ? 0 : job.run.heldSeconds(now));
            job.account.speeds.add(ran / been);
        }
    }
}
