package io.gpusched.core.drive;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Run;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A simulated cluster in which tasks start and stop at once and nothing fails: jobs are submitted,
/// run for their runtime, and end.
///
/// It receives decisions as the listener of its cell. After a job was stopped, the cell decides
/// again at the same instant, because the job's GPUs are free.
public final class InstantCluster implements SimulatedCluster, Listener {
    /// The arrivals and runtimes of the jobs, and callbacks for their ends.
    public interface Jobs {
        /// The time of the next submission; null if there is none.
        default @Nullable Instant nextArrival() {
            return null;
        }

        /// Submits the next job; [#nextArrival] then returns the time of the one after it.
        default void arrive(Driver driver) {}

        /// Called when a run begins.
        ///
        /// @param job as it is right after its placement
        /// @return the runtime of the run
        Duration begins(Job job, Run run, Instant now);

        /// Called when a run has ended by itself.
        ///
        /// @param at the time of its end, which may be before the scheduler noticed it
        default void ended(JobId job, Instant at) {}

        /// Called when a run was stopped.
        default void stopped(JobId job, Instant now) {}

        /// When the scheduler notices an event of the time `next`.
        default Instant noticedAt(Instant next) {
            return next;
        }
    }

    private final Jobs jobs;
    private final EventQueue<AttemptId> ends = new EventQueue<>();
    private final List<AttemptId> placed = new ArrayList<>();
    private final List<AttemptId> stopping = new ArrayList<>();

    public InstantCluster(Jobs jobs) {
        this.jobs = jobs;
    }

    /// Plans the end of a run that has begun already.
    public void willEnd(Run run, Instant at) {
        ends.plan(at, run.id());
    }

    /// The time at which the next run ends; null if none runs.
    public @Nullable Instant nextEnd(Driver driver) {
        for (AttemptId first = ends.peek();
                first != null && driver.current(first) == null;
                first = ends.peek()) {
            ends.poll(Instant.MAX); // It was stopped before its end.
        }
        return ends.next();
    }

    @Override
    public @Nullable Instant next(Driver driver) {
        return Instants.earlier(jobs.nextArrival(), nextEnd(driver));
    }

    @Override
    public Instant noticedAt(Instant next) {
        return jobs.noticedAt(next);
    }

    /// First come jobs that were submitted before this instant, each at its own time; then runs
    /// end; then come jobs that are submitted at this very instant.
    @Override
    public void happen(Driver driver) {
        Instant now = driver.now();
        for (Instant at = jobs.nextArrival();
                at != null && at.isBefore(now);
                at = jobs.nextArrival()) {
            jobs.arrive(driver);
        }
        for (Instant at = nextEnd(driver); at != null && !at.isAfter(now); at = nextEnd(driver)) {
            AttemptId attempt = Objects.requireNonNull(ends.poll(now));
            Job job = Objects.requireNonNull(driver.current(attempt));
            driver.ended(Objects.requireNonNull(job.phase().run()), Exit.SUCCESS);
            jobs.ended(job.id(), at);
        }
        for (Instant at = jobs.nextArrival();
                at != null && !at.isAfter(now);
                at = jobs.nextArrival()) {
            jobs.arrive(driver);
        }
    }

    @Override
    public boolean react(Driver driver) {
        boolean left = !stopping.isEmpty();
        for (AttemptId attempt : stopping) {
            Job job = driver.current(attempt);
            if (job != null) {
                driver.ended(Objects.requireNonNull(job.phase().run()), Exit.STOPPED);
                jobs.stopped(job.id(), driver.now());
            }
        }
        for (AttemptId attempt : placed) {
            Job job = driver.current(attempt);
            if (job != null) {
                begin(job, Objects.requireNonNull(job.phase().run()), driver);
            }
        }
        stopping.clear();
        placed.clear();
        return left;
    }

    private void begin(Job job, Run run, Driver driver) {
        driver.started(run);
        Duration takes = jobs.begins(job, run, driver.now());
        if (!driver.state().runs().isEndless(job)) {
            willEnd(run, driver.now().plus(takes));
        }
    }

    @Override
    public void concluded(Batch batch, CycleResult cycleResult) {
        batch.facts().forEach(this::note);
        batch.decided().forEach(this::note);
    }

    private void note(Event event) {
        switch (event) {
            case Event.AttemptPlaced e -> placed.add(e.attempt());
            case Event.AttemptStopping e -> stopping.add(e.attempt());
            default -> {}
        }
    }
}
