package io.gpusched.core.state;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Tenant;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.TreeSet;

/// Jobs that hold capacity, in two orders: by when they are expected to end, which reservations
/// need, and by priority, which preemption needs.
final class Runs {
    private record ByEnd(long micros, long job) implements Comparable<ByEnd> {
        @Override
        public int compareTo(ByEnd other) {
            int byTime = Long.compare(micros, other.micros);
            return byTime != 0 ? byTime : Long.compare(job, other.job);
        }
    }

    private record ByPriority(int priority, long job) {}

    private final JobTable table;
    private final Duration assumed;
    private final TreeSet<ByEnd> byEnd = new TreeSet<>();
    private final TreeSet<ByPriority> preemptible =
            new TreeSet<>(
                    Comparator.comparingInt(ByPriority::priority)
                            .thenComparingLong(ByPriority::job));

    Runs(JobTable table, Duration assumed) {
        this.table = table;
        this.assumed = assumed;
    }

    /// When the job's run is expected to be over: its start plus what is planned for it.
    Instant expectedEnd(Job job) {
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

    int size() {
        return byEnd.size();
    }

    void add(Job job, boolean mayBePreempted) {
        byEnd.add(new ByEnd(Instants.micros(expectedEnd(job)), job.id().number()));
        if (mayBePreempted) {
            preemptible.add(new ByPriority(job.priority(), job.id().number()));
        }
    }

    void remove(Job job) {
        byEnd.remove(new ByEnd(Instants.micros(expectedEnd(job)), job.id().number()));
        preemptible.remove(new ByPriority(job.priority(), job.id().number()));
    }

    /// The tenant's rules changed: find out again which of its jobs may be preempted.
    void rulesChanged(Tenant tenant) {
        var all = new ArrayList<Job>();
        for (Job job : byEnd()) {
            if (job.tenant().equals(tenant.id())) {
                all.add(job);
            }
        }
        for (Job job : all) {
            remove(job);
            add(job, tenant.rules().mayBePreempted());
        }
    }

    Iterable<Job> byEnd() {
        return () -> jobs(byEnd.iterator(), ByEnd::job);
    }

    /// Those expected to end in (after, until], the first of them first.
    Iterable<Job> endingIn(Instant after, Instant until) {
        var from = new ByEnd(Instants.micros(after), Long.MAX_VALUE);
        var to = new ByEnd(Instants.micros(until), Long.MAX_VALUE);
        return () -> jobs(byEnd.subSet(from, false, to, true).iterator(), ByEnd::job);
    }

    Iterable<Job> preemptible() {
        return () -> jobs(preemptible.iterator(), ByPriority::job);
    }

    private <T> Iterator<Job> jobs(Iterator<T> from, java.util.function.ToLongFunction<T> number) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return from.hasNext();
            }

            @Override
            public Job next() {
                return java.util.Objects.requireNonNull(table.job(number.applyAsLong(from.next())));
            }
        };
    }
}
