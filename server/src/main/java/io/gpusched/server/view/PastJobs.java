package io.gpusched.server.view;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.TenantId;
import io.gpusched.store.JobHistory;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.LongSupplier;

/// The history of jobs, including jobs that the cluster state no longer contains.
///
/// The store's tables lag a little behind the journal; newer events are kept here until the tables
/// have them. The follower's thread writes it, any thread reads it.
public final class PastJobs {
    private record Recent(long batch, JobId job, Event event) {
        long payload() {
            return event instanceof Event.JobSubmitted e ? e.spec().payload().size() : 0;
        }
    }

    /// More than the tables lag behind unless the store is overloaded.
    private static final int MOST_RECENT = 100_000;

    private static final long MOST_RECENT_PAYLOAD = 16 << 20;

    private final JobHistory stored;
    private final LongSupplier storedUpTo;
    private final ConcurrentLinkedDeque<Recent> recent = new ConcurrentLinkedDeque<>();
    private int size;
    private long payload;

    /// @param storedUpTo the newest batch in the store's tables
    public PastJobs(JobHistory stored, LongSupplier storedUpTo) {
        this.stored = stored;
        this.storedUpTo = storedUpTo;
    }

    /// Adds a batch. Only one thread may call it.
    public void add(Batch batch) {
        batch.facts().forEach(event -> add(batch.number(), event));
        batch.decided().forEach(event -> add(batch.number(), event));
        long known = storedUpTo.getAsLong();
        for (Recent oldest = recent.peekFirst();
                oldest != null && (oldest.batch <= known || isFull());
                oldest = recent.peekFirst()) {
            recent.removeFirst();
            size--;
            payload -= oldest.payload();
        }
    }

    private boolean isFull() {
        return size > MOST_RECENT || payload > MOST_RECENT_PAYLOAD;
    }

    private void add(long batch, Event event) {
        JobId job = about(event);
        if (job != null) {
            var one = new Recent(batch, job, event);
            recent.addLast(one);
            size++;
            payload += one.payload();
        }
    }

    /// What happened to the job, oldest first.
    public List<Event> events(JobId job) {
        var newest = new ArrayList<Event>();
        for (Recent one : recent) {
            if (one.job.equals(job)) {
                newest.add(one.event);
            }
        }
        var all = new LinkedHashSet<>(stored.events(job));
        all.addAll(newest);
        return all.stream().sorted(Comparator.comparing(Event::at)).toList();
    }

    /// Placements and ends of runs that the store's tables may not contain yet, oldest first.
    List<Event> recentRuns() {
        var runs = new ArrayList<Event>();
        for (Recent one : recent) {
            switch (one.event) {
                case Event.AttemptPlaced placed -> runs.add(placed);
                case Event.JobRequeued requeued -> runs.add(requeued);
                case Event.JobEnded ended -> runs.add(ended);
                default -> {}
            }
        }
        return runs;
    }

    /// A job of any age; null if it never existed.
    public @Nullable Job find(JobId job) {
        return stored.find(job);
    }

    /// The tenants of jobs of any age, with few queries; jobs that never existed are left out.
    public Map<JobId, TenantId> tenants(Collection<JobId> jobs) {
        return jobs.isEmpty() ? Map.of() : stored.tenants(jobs);
    }

    /// The payload of the job. The cluster state drops it when the job ends. While the tables lag
    /// behind, as they do after a start, it is read from the journal.
    public Payload payload(JobId job) {
        for (Recent one : recent) {
            if (one.job.equals(job) && one.event instanceof Event.JobSubmitted submitted) {
                return submitted.spec().payload();
            }
        }
        long known = storedUpTo.getAsLong();
        Job found = stored.find(job);
        if (found != null) {
            return found.spec().payload();
        }
        Event.JobSubmitted submitted = stored.submitted(job, known);
        return submitted == null ? Payload.NOTHING : submitted.spec().payload();
    }

    /// A page of jobs of any age from the store's tables, newest first.
    ///
    /// @param before only jobs with smaller numbers; 0 for the newest
    public JobPage list(JobPage.Filter wanted, long before, int most) {
        if (wanted.states().isEmpty()) {
            return new JobPage(List.of(), 0, 0);
        }
        List<String> states =
                wanted.anyState()
                        ? List.of()
                        : wanted.states().stream().map(PublicState::toString).sorted().toList();
        var query = new JobHistory.Query(wanted.tenant(), states, before, most);
        List<Job> page = stored.list(query);
        return new JobPage(page, stored.count(query), page.size());
    }

    /// The job whose history the event belongs to; null for other events and for changes of single
    /// tasks.
    public static @Nullable JobId about(Event event) {
        return switch (event) {
            case Event.JobSubmitted e -> e.job();
            case Event.JobUpdated e -> e.job();
            case Event.JobHeld e -> e.job();
            case Event.JobReleased e -> e.job();
            case Event.AttemptPlaced e -> e.attempt().job();
            case Event.AttemptRunning e -> e.attempt().job();
            case Event.AttemptStopping e -> e.attempt().job();
            case Event.TaskIdle e -> e.attempt().job();
            case Event.JobRequeued e -> e.job();
            case Event.JobEnded e -> e.job();
            default -> null;
        };
    }
}
