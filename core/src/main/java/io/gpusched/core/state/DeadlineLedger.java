package io.gpusched.core.state;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Digest;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobDeadline;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.RequestDigest;
import io.gpusched.core.spot.CapacityChoice;
import io.gpusched.core.spot.SpotHistory;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The ledger's part about jobs with a deadline: how much of their work is done, where they were
/// chosen to run, and what was seen of the spot capacity that they ask for.
///
/// What was seen belongs to a kind of request, not to a job: the next job that asks for the same
/// knows how long outages usually last. While no job of the kind is there, nothing is seen.
public final class DeadlineLedger {
    /// Kinds of requests that are remembered; the one that changed least recently is forgotten.
    private static final int MOST_SEEN = 256;

    /// A job with a deadline.
    ///
    /// @param need fingerprint of its request
    /// @param doneMillis work done by earlier runs, without what their starts cost
    /// @param choice null before the first choice
    public record Entry(JobId job, long need, long doneMillis, @Nullable CapacityChoice choice) {}

    /// What was seen of the spot capacity for one kind of request.
    ///
    /// @param watched whether a job of the kind was there ever since
    public record Seen(long need, SpotHistory history, boolean watched) {}

    /// Everything in it, for a snapshot.
    public record Image(List<Entry> jobs, List<Seen> seen) {
        public static final Image NOTHING = new Image(List.of(), List.of());

        public Image {
            jobs = List.copyOf(jobs);
            seen = List.copyOf(seen);
        }
    }

    private final JobTable table;
    private final AgentLedger agents;
    private final SequencedMap<JobId, Entry> jobs = new TreeMap<>();
    private final SequencedMap<Long, Seen> seen = new LinkedHashMap<>();
    private int undecided;
    private long version;

    DeadlineLedger(JobTable table, AgentLedger agents) {
        this.table = table;
        this.agents = agents;
    }

    void restore(Image image) {
        image.jobs().forEach(this::put);
        image.seen().forEach(one -> seen.put(one.need(), one));
    }

    /// Must hear of an event before the jobs change.
    void hear(Event event) {
        switch (event) {
            case Event.JobSubmitted e -> submitted(e);
            case Event.CapacityChosen e -> {
                Entry entry = jobs.get(e.job());
                if (entry != null) {
                    put(new Entry(e.job(), entry.need, entry.doneMillis, e.choice()));
                }
            }
            case Event.JobRequeued e -> requeued(e);
            case Event.JobEnded e -> ended(e.job());
            case Event.SpotSeen e -> seen(e);
            default -> {}
        }
    }

    private void submitted(Event.JobSubmitted e) {
        if (e.spec().deadline() != null) {
            put(new Entry(e.job(), RequestDigest.of(e.spec()), 0, null));
        }
    }

    private void put(Entry entry) {
        version++;
        Entry before = jobs.put(entry.job, entry);
        undecided -= before != null && before.choice == null ? 1 : 0;
        undecided += entry.choice == null ? 1 : 0;
    }

    private void requeued(Event.JobRequeued e) {
        Entry entry = jobs.get(e.job());
        Job job = table.job(e.job().number());
        JobDeadline deadline = job == null ? null : job.spec().deadline();
        if (entry != null && job != null && deadline != null) {
            Duration unknown = e.lost() ? silence(job) : Duration.ZERO;
            long more = Math.max(0, ran(job, e.at()) - unknown.toMillis());
            long done = entry.doneMillis + work(more, deadline);
            put(new Entry(entry.job, entry.need, done, entry.choice));
        }
    }

    private void ended(JobId id) {
        Entry gone = jobs.remove(id);
        if (gone == null) {
            return;
        }
        version++;
        undecided -= gone.choice == null ? 1 : 0;
        Seen last = seen.get(gone.need);
        if (last != null && jobs.values().stream().noneMatch(job -> job.need == gone.need)) {
            seen.put(gone.need, new Seen(gone.need, last.history, false));
        }
    }

    private void seen(Event.SpotSeen e) {
        Seen last = seen.remove(e.need());
        long at = millis(e.at());
        SpotHistory history =
                last == null
                        ? SpotHistory.begin(at, e.available())
                        : last.watched
                                ? last.history.seen(at, e.available())
                                : last.history.resume(at, e.available());
        seen.put(e.need(), new Seen(e.need(), history, true));
        if (seen.size() > MOST_SEEN) {
            seen.pollFirstEntry();
        }
    }

    /// How long the present run has run until now, or until it was told to stop, in milliseconds.
    public static long ran(Job job, Instant now) {
        Instant started = job.phase().startedAt();
        Instant until = job.phase() instanceof Phase.Stopping stopping ? stopping.since() : now;
        return started == null ? 0 : Math.max(0, Duration.between(started, until).toMillis());
    }

    /// How long a node is silent at most before its runs count as lost: the lease of its agent with
    /// a margin for clocks, and the time that tasks take to stop. What a run did in that time is
    /// not known.
    public Duration silence(Job job) {
        Duration lease = agents.lease();
        return lease.isZero()
                ? lease
                : lease.plus(lease.dividedBy(10)).plus(job.spec().onLoss().grace());
    }

    /// The work that a run did: its time without what its start cost.
    private static long work(long ranMillis, JobDeadline deadline) {
        return Math.max(0, ranMillis - deadline.restartOrUsual().toMillis());
    }

    /// The work of the job that is not done yet, in milliseconds.
    public static long remaining(Entry entry, Job job, JobDeadline deadline, Instant now) {
        long done = entry.doneMillis + work(ran(job, now), deadline);
        return Math.max(0, job.spec().work().toMillis() - done);
    }

    /// The time of a history.
    public static long millis(Instant at) {
        return Math.floorDiv(Instants.micros(at), 1_000L);
    }

    /// Grows with every change of an entry.
    public long version() {
        return version;
    }

    public boolean isEmpty() {
        return jobs.isEmpty();
    }

    /// Whether some job has no choice yet.
    public boolean isUndecided() {
        return undecided > 0;
    }

    /// The jobs with a deadline that have not ended, in the order of their numbers.
    public List<Entry> all() {
        return new ArrayList<>(jobs.values());
    }

    public @Nullable Entry find(JobId job) {
        return jobs.get(job);
    }

    /// What was seen of the spot capacity for this need; null if nothing was.
    public @Nullable Seen seen(long need) {
        return seen.get(need);
    }

    Image image() {
        return new Image(all(), new ArrayList<>(seen.values()));
    }

    long digest() {
        long all = 0;
        for (Entry entry : jobs.values()) {
            long hash = Digest.mix(Digest.mix(0xDEAD, entry.job.number()), entry.doneMillis);
            CapacityChoice choice = entry.choice;
            all ^=
                    choice == null
                            ? hash
                            : Digest.mix(
                                    Digest.mix(hash, choice.choice().ordinal() + 1L),
                                    choice.slackMillis());
        }
        for (Seen one : seen.values()) {
            SpotHistory history = one.history;
            long hash = Digest.mix(one.need, history.since());
            hash = Digest.mix(hash, (history.available() ? 1 : 0) + (one.watched ? 2 : 0));
            hash = mix(hash, history.outages());
            all ^= mix(hash, history.supplies());
        }
        return all;
    }

    private static long mix(long hash, SpotHistory.Seen counts) {
        return Digest.mix(
                Digest.mix(hash, counts.ended()), Double.doubleToLongBits(counts.expected()));
    }
}
