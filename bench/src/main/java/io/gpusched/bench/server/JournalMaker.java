package io.gpusched.bench.server;

import io.gpusched.bench.core.JobSource;
import io.gpusched.bench.core.Testbed;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Assignment;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Task;
import io.gpusched.store.Database;
import io.gpusched.store.SqlJournal;
import io.gpusched.store.StoreHealth;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Writes the journal of a scheduler that has been running for a while.
final class JournalMaker implements AutoCloseable {
    static final int NODES = 1000;

    /// About what gathers while one batch becomes durable.
    static final int TOGETHER = 64;

    private static final int CROWDED_NODES = 100;

    private static final int CROWD = 500;
    private static final Duration BETWEEN = Duration.ofSeconds(30);

    /// Nobody measures how jobs came to wait.
    private static final int MANY = 1000;

    private final JobSource source = new JobSource(6, 4, 20, 1, 2, 4, 8);
    private final Set<AttemptId> started = new LinkedHashSet<>();
    private final SqlJournal journal;
    private final Testbed testbed;

    JournalMaker(Path data) {
        journal = SqlJournal.open(new Database.Sqlite(data), StoreHealth.UNHEARD);
        testbed =
                new Testbed(
                        journal,
                        journal.raiseTerm(),
                        this::note,
                        Instant.now().minus(Duration.ofDays(1)));
    }

    long events() {
        return testbed.events();
    }

    /// Submits, runs and ends jobs until there are at least this many events. No job is left
    /// waiting or running.
    void wholeLives(long events) {
        testbed.open(NODES, source.tenants());
        while (testbed.events() < events) {
            var submissions = new ArrayList<Input>();
            for (int i = 0; i < TOGETHER; i++) {
                submissions.add(Testbed.submit(source.asRead()));
            }
            testbed.handle(submissions);
            List<AttemptId> running = List.copyOf(started);
            started.clear();
            var starts = new ArrayList<Input>();
            running.forEach(attempt -> starts.add(new Report.TaskRunning(attempt, 0)));
            testbed.handle(starts);
            started.clear();
            var ends = new ArrayList<Input>();
            running.forEach(attempt -> ends.add(new Report.TaskEnded(attempt, 0, Exit.SUCCESS)));
            testbed.handle(ends);
            started.clear();
        }
    }

    /// Submits jobs to a fleet that is too small for them, so that some hundreds always wait; jobs
    /// run for some time and end, the longest running first, until there are at least this many
    /// events.
    void crowded(long events) {
        testbed.open(CROWDED_NODES, source.tenants());
        var running = new ArrayDeque<AttemptId>();
        for (int crowd = CROWD; testbed.events() < events; crowd = 0) {
            var submissions = new ArrayList<Input>();
            for (int i = 0; i < TOGETHER + crowd; i++) {
                submissions.add(Testbed.submit(source.asRead()));
            }
            testbed.handle(submissions);
            started.removeAll(running);
            var told = new ArrayList<Input>();
            started.forEach(attempt -> told.add(new Report.TaskRunning(attempt, 0)));
            running.addAll(started);
            for (int i = 0; i < TOGETHER && !running.isEmpty(); i++) {
                AttemptId ended = running.remove();
                told.add(new Report.TaskEnded(ended, 0, Exit.SUCCESS));
            }
            started.clear();
            testbed.pass(BETWEEN);
            testbed.handle(told);
        }
    }

    /// Submits this many jobs, which wait for nodes that never join.
    void waitingJobs(int jobs) {
        testbed.open(0, source.tenants());
        submit(jobs);
    }

    /// Submits this many jobs to a fleet of [#NODES], which takes the first of them; the others
    /// wait, and nothing ends.
    void full(int jobs) {
        testbed.open(NODES, source.tenants());
        submit(jobs);
    }

    /// A fleet without jobs.
    void idle(int nodes) {
        testbed.open(nodes, source.tenants());
    }

    private void submit(int jobs) {
        for (int left = jobs; left > 0; left -= MANY) {
            var submissions = new ArrayList<Input>();
            for (int i = 0; i < Math.min(left, MANY); i++) {
                submissions.add(Testbed.submit(source.asRead()));
            }
            testbed.handle(submissions);
        }
    }

    private void note(Assignment assignment) {
        for (Task task : assignment.tasks()) {
            started.add(task.attempt());
        }
    }

    @Override
    public void close() {
        journal.close();
    }
}
