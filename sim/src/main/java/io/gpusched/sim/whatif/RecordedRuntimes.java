package io.gpusched.sim.whatif;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.learn.JobProfiles;
import io.gpusched.core.learn.runtime.Profile;
import io.gpusched.core.learn.runtime.RuntimeEstimate;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.StopCause;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/// The true runtimes of jobs, computed from the recorded events.
///
/// The runtime of a job that ended by itself, or was stopped for idle GPUs, is that of its last run
/// plus the work that earlier runs saved. For any other job the journal gives a lower bound only;
/// the rest is predicted from jobs of its kind, or else its time limit.
public final class RecordedRuntimes {
    /// The total runtime of a job, including the work that earlier runs saved.
    ///
    /// @param exit how the job ends after that time
    /// @param known false if the journal only gives a lower bound
    /// @param guessed whether this is a prediction from other jobs, not a recorded value
    record TrueRuntime(Duration runs, Exit exit, boolean known, boolean guessed) {}

    private final Map<Long, RecordedJob> lives = new HashMap<>();
    private final Map<Profile, RuntimeEstimate> estimates = new HashMap<>();
    private @Nullable RuntimeModel model;
    private Duration assumed = Duration.ofHours(24);
    private Duration every = Duration.ZERO;
    private Instant now = Instant.EPOCH;
    private double startSeconds;
    private long starts;
    private double stopSeconds;
    private long stops;
    private final Map<Long, Instant> stopping = new HashMap<>();

    /// Sets the interval at which jobs save their work; zero if they save it when they are stopped.
    void savedEvery(Duration interval) {
        every = interval;
    }

    /// Adds the running jobs of a ledger.
    void begin(ClusterState state) {
        now = state.lastAt();
        for (Job job : state.runs().byExpectedEnd()) {
            RecordedJob recordedJob = life(job.id(), job.spec().onLoss());
            recordedJob.started = job.phase().startedAt();
            if (job.phase() instanceof Phase.Stopping told) {
                stopping.put(job.id().number(), told.since());
                recordedJob.idled = told.cause().kind() == StopCause.Kind.IDLE;
            }
        }
    }

    /// Adds the next batch.
    void note(Batch batch) {
        now = batch.at();
        batch.facts().forEach(this::note);
        batch.decided().forEach(this::note);
    }

    private void note(Event event) {
        switch (event) {
            case Event.JobSubmitted e -> life(e.job(), e.spec().onLoss());
            case Event.AttemptPlaced e -> life(e.attempt().job()).placed = e.at();
            case Event.AttemptRunning e -> began(e);
            case Event.TaskChanged e -> {
                if (e.state().exit() != null) {
                    life(e.attempt().job()).ended(e.state().exit());
                }
            }
            case Event.AttemptStopping e -> {
                stopping.putIfAbsent(e.attempt().job().number(), e.at());
                life(e.attempt().job()).idled |= e.cause().kind() == StopCause.Kind.IDLE;
            }
            case Event.JobRequeued e -> {
                stopped(e.job(), e.at());
                life(e.job()).interrupted(e.at(), e.lost(), every);
            }
            case Event.JobEnded e -> {
                stopped(e.job(), e.at());
                life(e.job()).over(e.at(), e.outcome().result() != Outcome.Result.CANCELLED);
            }
            default -> {}
        }
    }

    private void began(Event.AttemptRunning e) {
        RecordedJob recordedJob = life(e.attempt().job());
        recordedJob.begins(e.at());
        if (recordedJob.toStart != null) {
            startSeconds += seconds(recordedJob.toStart);
            starts++;
        }
    }

    private void stopped(JobId job, Instant at) {
        Instant since = stopping.remove(job.number());
        if (since != null) {
            stopSeconds += seconds(Duration.between(since, at));
            stops++;
        }
    }

    /// The work that unfinished jobs have saved so far.
    Map<JobId, Duration> saved() {
        var all = new HashMap<JobId, Duration>();
        lives.forEach(
                (job, recordedJob) -> {
                    if (!recordedJob.saved.isZero()) {
                        all.put(new JobId(job), recordedJob.saved);
                    }
                });
        return all;
    }

    /// Forgets a job whose runtime is not needed any more.
    void forget(JobId job) {
        lives.remove(job.number());
    }

    /// From now on, returns a prediction where the true runtime is not known.
    ///
    /// @param longest the assumed runtime of a job without a limit
    void guessBy(RuntimeModel learned, Duration longest) {
        model = learned;
        assumed = longest;
        estimates.clear();
    }

    /// From now on, returns only true runtimes.
    void guessNothing() {
        model = null;
    }

    /// The true runtime of the job, or the best that is known of it.
    ///
    /// @param gpu the GPU model that the job runs on; empty if it uses no GPU
    TrueRuntime of(Job job, String gpu) {
        RecordedJob recordedJob = lives.get(job.id().number());
        if (recordedJob != null && recordedJob.whole && recordedJob.exit != null) {
            return new TrueRuntime(recordedJob.atLeast, recordedJob.exit, true, false);
        }
        Duration least = recordedJob == null ? Duration.ZERO : recordedJob.atLeast(now);
        RuntimeModel learned = model;
        return learned == null
                ? new TrueRuntime(least, Exit.SUCCESS, false, false)
                : new TrueRuntime(guess(job, gpu, least, learned), Exit.SUCCESS, true, true);
    }

    private Duration guess(Job job, String gpu, Duration least, RuntimeModel learned) {
        Profile profile = JobProfiles.of(job.spec(), gpu);
        RuntimeEstimate runtimeEstimate =
                estimates.computeIfAbsent(profile, each -> learned.estimate(each, now));
        Duration limit = job.spec().limit();
        double ran = seconds(least);
        double most = seconds(limit.isZero() ? assumed : limit);
        double likely =
                runtimeEstimate.belief().effective() > 0
                        ? ran + runtimeEstimate.remaining(ran, 0.5)
                        : most;
        double bounded = limit.isZero() ? likely : Math.min(likely, most);
        return Duration.ofMillis((long) (1000 * Math.clamp(Math.max(bounded, ran), 1, 1e9)));
    }

    /// The time from placement to running.
    Duration toStart(JobId job) {
        RecordedJob recordedJob = lives.get(job.number());
        return recordedJob != null && recordedJob.toStart != null
                ? recordedJob.toStart
                : mean(startSeconds, starts);
    }

    /// The time from the stop request to the end.
    Duration toStop() {
        return mean(stopSeconds, stops);
    }

    private static Duration mean(double sum, long count) {
        return count == 0 ? Duration.ZERO : Duration.ofMillis((long) (1000 * sum / count));
    }

    private RecordedJob life(JobId job) {
        return life(job, Interruption.DEFAULT);
    }

    private RecordedJob life(JobId job, Interruption onLoss) {
        return lives.computeIfAbsent(job.number(), number -> new RecordedJob(onLoss));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
