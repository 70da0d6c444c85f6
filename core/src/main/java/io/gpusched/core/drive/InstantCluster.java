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

/// A cluster in which tasks start and stop at once and nothing breaks: jobs come, run for as long
/// as they do, and end.
///
/// It hears of decisions as the listener of its cell. When a job has been stopped the cell decides
/// again at the same instant: what the job held is free.
public final class InstantCluster implements SimulatedCluster, Listener {
    /// What is known of the jobs, and who hears of them.
    public interface Jobs {
        /// When the next job is submitted; null when none is any more.
        default @Nullable Instant nextArrival() {
            return null;
        }

        /// Submits the job that comes next; [#nextArrival] then tells of the one after it.
        default void arrive(Driver driver) {}

        /// A run begins.
        ///
        /// @param job as it was when it had just been placed
        /// @return how long the run takes
        Duration begins(Job job, Run run, Instant now);

        /// A run has ended by itself.
        ///
        /// @param at when it did, which may be before the scheduler heard of it
        default void ended(JobId job, Instant at) {}

        /// A run was stopped.
        default void stopped(JobId job, Instant now) {}

        /// When the scheduler hears of what happens at `next`.
        default Instant hears(Instant next) {
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

    /// A run that has begun already will end then.
    public void willEnd(Run run, Instant at) {
        ends.plan(at, run.id());
    }

    /// When the next run ends; null when none is under way.
    public @Nullable Instant nextEnd(Driver driver) {
        for (AttemptId first = ends.peek();
                first != null && driver.current(first) == null;
                first = ends.peek()) {
            ends.poll(Instant.MAX); // It was stopped before its time.
        }
        return ends.next();
    }

    @Override
    public @Nullable Instant next(Driver driver) {
        return Instants.earlier(jobs.nextArrival(), nextEnd(driver));
    }

    @Override
    public Instant hears(Instant next) {
        return jobs.hears(next);
    }

    /// Jobs that came before the scheduler hears of anything come first, each at its own time; then
    /// runs end; then come those jobs that do so at this very instant.
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
        willEnd(run, driver.now().plus(takes));
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
