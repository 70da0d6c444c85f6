package io.gpusched.core.outlook;

import io.gpusched.core.engine.Conclusion;
import io.gpusched.core.engine.Cycle;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Report;
import io.gpusched.core.learn.RunLessons;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.BiConsumer;

/// One run ahead of an engine that nobody else uses. Tasks start at once, runs end when their drawn
/// time is over, and whoever is told to leave leaves at once.
final class RunAhead {
    /// So many wake-ups in a row that decide nothing, when nothing runs that could end, mean that
    /// nothing more will happen.
    private static final int IDLE_WAKES = 20;

    private record End(Instant at, long order, AttemptId attempt) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final Engine engine;
    private final Runtimes runtimes;
    private final long seed;
    private final long mostSteps;
    private final PriorityQueue<End> ends = new PriorityQueue<>();
    private final ArrayDeque<Report> told = new ArrayDeque<>();
    private final Set<JobId> awaited;
    private final BiConsumer<JobId, Instant> starts;
    private Instant now;
    private long order;
    private long steps;

    /// @param awaited whose starts are waited for
    /// @param starts hears when each of them starts for the first time
    RunAhead(
            Engine engine,
            Runtimes runtimes,
            long seed,
            long mostSteps,
            Set<JobId> awaited,
            BiConsumer<JobId, Instant> starts) {
        this.engine = engine;
        this.runtimes = runtimes;
        this.seed = seed;
        this.mostSteps = mostSteps;
        this.awaited = new LinkedHashSet<>(awaited);
        this.starts = starts;
        this.now = Instant.EPOCH;
    }

    /// Runs until all that are awaited have started, or nothing more happens.
    void run(Instant from) {
        now = from;
        takeUp();
        int idle = 0;
        while (!awaited.isEmpty() && steps < mostSteps && idle < IDLE_WAKES) {
            long before = steps;
            takeTurns();
            if (!goOn()) {
                return;
            }
            boolean nothing = steps == before;
            idle = nothing && ends.isEmpty() ? idle + 1 : 0;
            steps += nothing ? 1 : 0;
        }
    }

    /// What runs already will end, what is stopping ends now.
    private void takeUp() {
        for (Job job : running()) {
            Run run = job.phase().run();
            Instant since = job.phase().startedAt();
            if (run == null) {
                continue;
            }
            if (job.phase() instanceof Phase.Stopping) {
                told.addAll(ended(run, Exit.STOPPED));
            } else if (since == null) {
                told.addAll(running(run));
                willEnd(job, run, Duration.ZERO);
            } else {
                willEnd(job, run, Duration.between(since, now));
            }
        }
        hear();
    }

    private List<Job> running() {
        var all = new ArrayList<Job>();
        engine.state().byExpectedEnd().forEach(all::add);
        return all;
    }

    private void willEnd(Job job, Run run, Duration ran) {
        String gpu = RunLessons.gpu(run.on(), engine.state());
        Duration left = runtimes.left(job, gpu, ran, luck(job));
        ends.add(new End(now.plus(left), order++, run.id()));
    }

    /// A job has the same luck in all it does in one run ahead: it is as long as it is. Half of the
    /// jobs of a kind have it in common, because when work turns out longer than thought it mostly
    /// does so for all of its kind; were all lengths independent, they would average out over a
    /// line of a hundred jobs and starts would seem far more certain than they are.
    private double luck(Job job) {
        long own = mixed(job.id().number());
        boolean shared = (own & 1) == 0;
        return ((shared ? mixed(number(job.spec().kind())) : own) >>> 11) * 0x1.0p-53;
    }

    /// The same number for the same name, everywhere.
    private static long number(String name) {
        int number = 0;
        for (int i = 0; i < name.length(); i++) {
            number = 31 * number + name.charAt(i);
        }
        return number;
    }

    private long mixed(long number) {
        long mixed = (seed + 1) * 0x9E3779B97F4A7C15L + number;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    private void takeTurns() {
        Cycle cycle = engine.begin(now);
        engine.takeTurns(cycle);
        Conclusion conclusion = cycle.end();
        for (Event event : conclusion.events()) {
            switch (event) {
                case Event.AttemptPlaced placed -> placed(placed);
                case Event.AttemptStopping stopping -> {
                    Run run = current(stopping.attempt());
                    if (run != null) {
                        told.addAll(ended(run, Exit.STOPPED));
                    }
                }
                default -> {}
            }
        }
        hear();
    }

    private void placed(Event.AttemptPlaced placed) {
        steps++;
        Job job = engine.state().job(placed.attempt().job());
        Run run = current(placed.attempt());
        if (job == null || run == null) {
            return;
        }
        if (awaited.remove(job.id())) {
            starts.accept(job.id(), now);
        }
        told.addAll(running(run));
        willEnd(job, run, Duration.ZERO);
    }

    /// Moves to the next end, or to when the engine wants to be woken; false when there is neither.
    private boolean goOn() {
        End next = ends.peek();
        Instant wake = engine.wakeAfter(now);
        if (next == null && wake == null) {
            return false;
        }
        Instant at = next == null || (wake != null && wake.isBefore(next.at)) ? wake : next.at;
        now = at == null || at.isBefore(now) ? now : at;
        while (!ends.isEmpty() && !ends.peek().at.isAfter(now)) {
            Run run = current(ends.remove().attempt);
            if (run != null) {
                steps++;
                told.addAll(ended(run, Exit.SUCCESS));
            }
        }
        hear();
        return true;
    }

    private @Nullable Run current(AttemptId attempt) {
        Job job = engine.state().job(attempt.job());
        Run run = job == null ? null : job.phase().run();
        return run != null && run.id().equals(attempt) ? run : null;
    }

    private static List<Report> running(Run run) {
        var reports = new ArrayList<Report>();
        for (int rank = 0; rank < run.tasks().size(); rank++) {
            reports.add(new Report.TaskRunning(run.id(), rank));
        }
        return reports;
    }

    private static List<Report> ended(Run run, Exit exit) {
        var reports = new ArrayList<Report>();
        for (int rank = 0; rank < run.tasks().size(); rank++) {
            reports.add(new Report.TaskEnded(run.id(), rank, exit));
        }
        return reports;
    }

    private void hear() {
        while (!told.isEmpty()) {
            if (engine.answer(told.remove(), now) instanceof Answer.Accepted accepted) {
                accepted.events().forEach(engine::apply);
            }
        }
    }
}
