package io.gpusched.core.state;

import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Tenant;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/// Jobs that hold capacity, in three orders: by expected end, which reservations need, by priority,
/// which preemption needs, and by the time of placement, which decides how long they are protected
/// from preemption.
///
/// A run that exceeds its learned runtime is not about to end: the longer it has run, the longer it
/// is likely to. It is then expected to take twice as long as planned, then four times, at most as
/// long as its limit. So a reservation does not wait for the longest runs merely because they are
/// overdue.
public final class RunIndex {
    private static final Duration SHORTEST = Duration.of(1, ChronoUnit.MICROS);

    private record ByPriority(int priority, long job) {}

    private final JobTable table;
    private final Duration assumed;
    private final RunsByTime byEnd = new RunsByTime();

    /// Runs that may exceed their expected runtime.
    private final TreeSet<RunsByTime.Entry> mayOverrun = new TreeSet<>();

    /// The later expected end of each run that has exceeded its expected runtime.
    private final Map<Long, Instant> overrunEnds = new LinkedHashMap<>();

    /// The end of each replica that is being drained.
    private final Map<Long, Instant> leaving = new LinkedHashMap<>();

    private final TreeSet<ByPriority> preemptible =
            new TreeSet<>(
                    Comparator.comparingInt(ByPriority::priority)
                            .thenComparingLong(ByPriority::job));

    private final RunsByTime preemptibleByPlacement = new RunsByTime();

    private long begun;
    private long lookedAt;

    RunIndex(JobTable table, Duration assumed) {
        this.table = table;
        this.assumed = assumed;
    }

    /// How long a job is assumed to run that has neither a time limit nor a prediction.
    public Duration assumedRuntime() {
        return assumed;
    }

    /// When the job's run is expected to end: its start plus its planned time, or later if it has
    /// exceeded that.
    public Instant expectedEnd(Job job) {
        Instant leaves = leaving.isEmpty() ? null : leaving.get(job.id().number());
        if (leaves != null) {
            return leaves;
        }
        Instant later = overrunEnds.isEmpty() ? null : overrunEnds.get(job.id().number());
        return later == null ? planned(job) : later;
    }

    /// Whether the run ends only when the scheduler stops it, and it does not so far.
    public boolean isEndless(Job job) {
        return job.spec().isReplica()
                && !(job.phase() instanceof Phase.Stopping)
                && !leaving.containsKey(job.id().number());
    }

    /// A replica is being drained: its run has ended by then.
    void leavesBy(Job job, Instant end) {
        if (!(job.phase() instanceof Phase.Stopping)) {
            byEnd.remove(key(job));
            leaving.put(job.id().number(), end);
            byEnd.add(key(job));
        }
    }

    /// The run has ended and was removed.
    void ended(Job job) {
        leaving.remove(job.id().number());
    }

    private Instant planned(Job job) {
        Duration length = job.spec().planned(assumed);
        return switch (job.phase()) {
            case Phase.Starting starting -> starting.since().plus(length);
            case Phase.Running running -> running.since().plus(length);
            case Phase.Stopping stopping -> stopping.since().plus(job.spec().onLoss().grace());
            case Phase.Held held -> Instant.MAX;
            case Phase.Waiting waiting -> Instant.MAX;
            case Phase.Ended ended -> Instant.MAX;
        };
    }

    public int size() {
        return byEnd.size();
    }

    /// Rises whenever a run is added, or added again because the rules of its tenant changed.
    public long begun() {
        return begun;
    }

    /// How many runs were read from any of the orders so far, in deciding and in explaining.
    public long lookedAt() {
        return lookedAt;
    }

    void add(Job job, boolean mayBePreempted) {
        begin(job);
        begun++;
        if (mayBePreempted) {
            preemptible.add(new ByPriority(job.priority(), job.id().number()));
            preemptibleByPlacement.add(placed(job));
        }
    }

    void remove(Job job) {
        end(job);
        preemptible.remove(new ByPriority(job.priority(), job.id().number()));
        preemptibleByPlacement.remove(placed(job));
    }

    private static RunsByTime.Entry placed(Job job) {
        Instant placed = Objects.requireNonNull(job.phase().run()).placed();
        return new RunsByTime.Entry(Instants.micros(placed), job.id().number());
    }

    /// Updates the phase of the run; its priority and tenant are unchanged.
    void move(Job from, Job to) {
        end(from);
        if (to.phase() instanceof Phase.Stopping) {
            leaving.remove(to.id().number());
        }
        begin(to);
    }

    private void begin(Job job) {
        RunsByTime.Entry key = key(job);
        byEnd.add(key);
        if (mayOverrun(job)) {
            mayOverrun.add(key);
        }
    }

    private void end(Job job) {
        RunsByTime.Entry key = key(job);
        byEnd.remove(key);
        mayOverrun.remove(key);
        overrunEnds.remove(job.id().number());
    }

    private RunsByTime.Entry key(Job job) {
        return new RunsByTime.Entry(Instants.micros(expectedEnd(job)), job.id().number());
    }

    private static boolean mayOverrun(Job job) {
        return job.phase() instanceof Phase.Running && job.spec().runtimeExpectation().isKnown();
    }

    /// Moves the expected ends of runs that are overdue at `now`.
    void extendOverdue(Instant now) {
        long micros = Instants.micros(now);
        while (!mayOverrun.isEmpty() && mayOverrun.first().micros() <= micros) {
            RunsByTime.Entry over = mayOverrun.removeFirst();
            Job job = Objects.requireNonNull(table.job(over.job()));
            Instant since = Objects.requireNonNull(job.phase().startedAt());
            Duration limit = job.spec().limit();
            Duration length = Duration.between(since, expectedEnd(job));
            // Compared in microseconds, as entries are: an end some nanoseconds from now would be
            // past for them and not here, again and again.
            while (Instants.micros(since.plus(length)) <= micros) {
                length = length.isZero() ? SHORTEST : length.multipliedBy(2);
            }
            boolean most = !limit.isZero() && length.compareTo(limit) >= 0;
            byEnd.remove(over);
            overrunEnds.put(over.job(), since.plus(most ? limit : length));
            byEnd.add(key(job));
            if (!most) {
                mayOverrun.add(key(job));
            }
        }
    }

    /// The tenant's rules changed: determines again which of its jobs may be preempted.
    void rulesChanged(Tenant tenant) {
        var all = new ArrayList<Job>();
        for (Job job : byExpectedEnd()) {
            if (job.tenant().equals(tenant.id())) {
                all.add(job);
            }
        }
        for (Job job : all) {
            remove(job);
            add(job, tenant.rules().mayBePreempted());
        }
    }

    /// Jobs that hold capacity, in the order in which they are expected to end.
    public Iterable<Job> byExpectedEnd() {
        return () -> jobs(byEnd.inOrder().iterator(), RunsByTime.Entry::job);
    }

    /// Runs expected to end in (after, until], the first of them first.
    public Iterable<Job> endingIn(Instant after, Instant until) {
        var from = new RunsByTime.Entry(Instants.micros(after), Long.MAX_VALUE);
        var to = new RunsByTime.Entry(Instants.micros(until), Long.MAX_VALUE);
        return () ->
                jobs(
                        byEnd.inOrder().subSet(from, false, to, true).iterator(),
                        RunsByTime.Entry::job);
    }

    /// Jobs that hold capacity and whose tenant lets them be preempted, lowest priority first, then
    /// by id.
    public Iterable<Job> preemptible() {
        return () -> jobs(preemptible.iterator(), ByPriority::job);
    }

    /// The preemptible jobs that were placed after `when`, the earliest first.
    public Iterable<Job> preemptiblePlacedAfter(Instant when) {
        var from = new RunsByTime.Entry(Instants.micros(when), Long.MAX_VALUE);
        return () ->
                jobs(
                        preemptibleByPlacement.inOrder().tailSet(from, false).iterator(),
                        RunsByTime.Entry::job);
    }

    private <T> Iterator<Job> jobs(Iterator<T> from, ToLongFunction<T> number) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return from.hasNext();
            }

            @Override
            public Job next() {
                lookedAt++;
                return Objects.requireNonNull(table.job(number.applyAsLong(from.next())));
            }
        };
    }
}
