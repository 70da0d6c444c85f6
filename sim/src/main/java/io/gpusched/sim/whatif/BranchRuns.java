package io.gpusched.sim.whatif;

import io.gpusched.core.drive.Driver;
import io.gpusched.core.drive.EventQueue;
import io.gpusched.core.drive.SimulatedCluster;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Report;
import io.gpusched.core.learn.JobProfiles;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;
import io.gpusched.sim.whatif.RecordedRuntimes.TrueRuntime;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The runs of a branch that has left the recorded history. They take as long to start as the
/// recorded runs did, run for their true runtime, and stop when the scheduler stops them.
final class BranchRuns implements SimulatedCluster {
    private static final Duration MOMENT = Duration.ofMillis(1);

    private enum Kind {
        STARTS,
        ENDS,
        STOPS
    }

    private record Due(Kind kind, AttemptId attempt) {}

    private final ReplayBranch replayBranch;
    private final RecordedRuntimes recordedRuntimes;
    private final Map<JobId, Duration> saved;
    private final EventQueue<Due> due = new EventQueue<>();
    private long guesses;

    BranchRuns(
            ReplayBranch replayBranch,
            RecordedRuntimes recordedRuntimes,
            Map<JobId, Duration> saved) {
        this.replayBranch = replayBranch;
        this.recordedRuntimes = recordedRuntimes;
        this.saved = new HashMap<>(saved);
    }

    long guesses() {
        return guesses;
    }

    @Override
    public @Nullable Instant next(Driver driver) {
        return due.next();
    }

    @Override
    public Instant wakes(Instant wanted, Instant now) {
        return wanted.isAfter(now) ? wanted : replayBranch.later(now);
    }

    /// Whether a run might end at this time and the journal does not tell yet.
    boolean isUnknown(Instant at) {
        Due first = due.peek();
        Instant when = due.next();
        if (first == null || when == null || first.kind != Kind.ENDS || when.isAfter(at)) {
            return false;
        }
        Job job = current(first.attempt);
        if (job == null || !(job.phase() instanceof Phase.Running running)) {
            return false;
        }
        TrueRuntime trueRuntime = length(job, running.run());
        return !trueRuntime.known() && !end(job, running, trueRuntime).isAfter(when);
    }

    /// Adds the runs that are in progress when the branch leaves the recorded history.
    void takeUp() {
        var all = new ArrayList<Job>();
        replayBranch.state().runs().byExpectedEnd().forEach(all::add);
        for (Job job : all) {
            switch (job.phase()) {
                case Phase.Starting p -> starts(job, p.run(), p.since());
                case Phase.Running p -> ends(job, p);
                case Phase.Stopping p -> stops(job, p);
                case Phase.Held p -> {}
                case Phase.Waiting p -> {}
                case Phase.Ended p -> {}
            }
        }
    }

    /// Plans the starts, ends and stops that follow from these events.
    void note(List<Event> events) {
        for (Event event : events) {
            switch (event) {
                case Event.AttemptPlaced e -> {
                    Job job = current(e.attempt());
                    Run run = job == null ? null : job.phase().run();
                    if (job != null && run != null) {
                        starts(job, run, e.at());
                    }
                }
                case Event.AttemptStopping e -> {
                    Job job = current(e.attempt());
                    if (job != null && job.phase() instanceof Phase.Stopping stopping) {
                        stops(job, stopping);
                    }
                }
                default -> {}
            }
        }
    }

    /// Receives an event before it is applied: the work that a stopped run has saved is only known
    /// then.
    void before(Event event) {
        switch (event) {
            case Event.JobRequeued e -> {
                Job job = replayBranch.job(e.job());
                Instant started = job == null ? null : job.phase().startedAt();
                if (job != null && started != null) {
                    Duration ran = Duration.between(started, e.at());
                    Duration kept =
                            RecordedJob.saved(
                                    job.spec().onLoss(), ran, e.lost(), replayBranch.savedEvery());
                    saved.merge(job.id(), kept, Duration::plus);
                }
            }
            case Event.JobEnded e -> saved.remove(e.job());
            default -> {}
        }
    }

    @Override
    public void happen(Driver driver) {
        for (Due first = due.poll(driver.now()); first != null; first = due.poll(driver.now())) {
            Job job = current(first.attempt);
            if (job != null) {
                happen(first.kind, job);
            }
        }
    }

    private void happen(Kind kind, Job job) {
        switch (job.phase()) {
            case Phase.Starting p -> {
                if (kind == Kind.STARTS) {
                    begin(p.run());
                }
            }
            case Phase.Running p -> {
                if (kind == Kind.ENDS) {
                    mayEnd(job, p);
                }
            }
            case Phase.Stopping p -> {
                if (kind == Kind.STOPS) {
                    end(p.run(), Exit.STOPPED);
                }
            }
            case Phase.Held p -> {}
            case Phase.Waiting p -> {}
            case Phase.Ended p -> {}
        }
    }

    private void begin(Run run) {
        for (int rank = 0; rank < run.tasks().size(); rank++) {
            replayBranch.hear(new Report.TaskRunning(run.id(), rank));
        }
        Job job = current(run.id());
        if (job != null && job.phase() instanceof Phase.Running running) {
            ends(job, running);
        }
    }

    /// A replica runs until it is stopped.
    private void ends(Job job, Phase.Running running) {
        if (!job.spec().isReplica()) {
            plan(end(job, running, length(job, running.run())), Kind.ENDS, running.run());
        }
    }

    private void mayEnd(Job job, Phase.Running running) {
        TrueRuntime trueRuntime = length(job, running.run());
        Instant end = end(job, running, trueRuntime);
        if (trueRuntime.known() && !end.isAfter(replayBranch.now())) {
            guesses += trueRuntime.guessed() ? 1 : 0;
            end(running.run(), trueRuntime.exit());
        } else {
            Instant soon = replayBranch.now().plus(MOMENT);
            plan(end.isBefore(soon) ? soon : end, Kind.ENDS, running.run());
        }
    }

    private void end(Run run, Exit exit) {
        for (int rank = 0; rank < run.tasks().size(); rank++) {
            replayBranch.hear(new Report.TaskEnded(run.id(), rank, exit));
        }
    }

    private void starts(Job job, Run run, Instant placed) {
        plan(placed.plus(recordedRuntimes.toStart(job.id())), Kind.STARTS, run);
    }

    /// A task that does not run yet stops at once; a running task takes at most its grace period.
    private void stops(Job job, Phase.Stopping stopping) {
        Duration grace = job.spec().onLoss().grace();
        Duration usual = recordedRuntimes.toStop();
        Duration takes =
                stopping.started() == null
                        ? Duration.ZERO
                        : usual.compareTo(grace) < 0 ? usual : grace;
        plan(stopping.since().plus(takes), Kind.STOPS, stopping.run());
    }

    private void plan(Instant at, Kind kind, Run run) {
        Instant micros = at.truncatedTo(ChronoUnit.MICROS);
        Instant now = replayBranch.now();
        due.plan(micros.isBefore(now) ? now : micros, new Due(kind, run.id()));
    }

    private Instant end(Job job, Phase.Running running, TrueRuntime trueRuntime) {
        Duration left = trueRuntime.runs().minus(saved.getOrDefault(job.id(), Duration.ZERO));
        return running.since().plus(left.isNegative() ? MOMENT : left);
    }

    private TrueRuntime length(Job job, Run run) {
        return recordedRuntimes.of(job, JobProfiles.gpu(run.on(), replayBranch.state()));
    }

    private @Nullable Job current(AttemptId attempt) {
        return replayBranch.current(attempt);
    }
}
