package io.gpusched.core.pool;

import io.gpusched.core.model.Digest;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.JobId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What is known of a pool's load: the newest report of each source, sums over intervals of the
/// last hour, and how long iterations took. It is a fold over reports, made of whole numbers, and
/// its size is bounded whatever the sources send.
public final class LoadHistory {
    /// The length of an interval.
    public static final int SECONDS = 5;

    /// The intervals that are kept: one hour.
    public static final int INTERVALS = 720;

    /// A pool has at most so many sources; the one that is silent for longest is forgotten first.
    private static final int SOURCES = 64;

    /// A source that was silent for so long may begin its sequence anew.
    private static final Duration RESTARTED = Duration.ofSeconds(30);

    /// A report with the time at which it was taken in.
    public record Sample(Instant at, PoolLoad load) {}

    /// Everything, for a snapshot.
    ///
    /// @param intervals each with its number and its counts in the order of [LoadCount]
    /// @param lastRequest when a request was last seen; null when there was none
    public record Image(
            List<Sample> newest,
            List<List<Long>> intervals,
            List<IterationTimes.Cell> times,
            @Nullable Instant lastRequest,
            long digest) {
        public Image {
            newest = List.copyOf(newest);
            intervals = List.copyOf(intervals);
            times = List.copyOf(times);
        }
    }

    private final SequencedMap<String, Sample> newest = new TreeMap<>();
    private final ArrayDeque<LoadInterval> intervals = new ArrayDeque<>();
    private final IterationTimes times = new IterationTimes();
    private @Nullable Instant lastRequest;
    private long digest = 0x10AD;

    /// Whether a report would be counted: it is newer than what its source sent before.
    public boolean isNew(Instant at, PoolLoad load) {
        Sample before = newest.get(load.source());
        return before == null
                || load.sequence() > before.load().sequence()
                || at.isAfter(before.at().plus(RESTARTED));
    }

    /// Takes a report in; a repeated or older one of the same source has no effect.
    public void add(Instant at, PoolLoad load) {
        if (!isNew(at, load)) {
            return;
        }
        newest.put(load.source(), new Sample(at, load));
        if (newest.size() > SOURCES) {
            forgetOldest();
        }
        count(at, load);
        if (load.arrivals() > 0 || load.held() > 0 || load.queueDepth() > 0 || isBusy(load)) {
            lastRequest = at;
        }
        load.replicas().forEach(replica -> times.add(replica, load.over()));
        digest = Digest.mix(digest, Instants.micros(at));
        digest = Digest.mix(Digest.mix(digest, Digest.of(load.source())), load.sequence());
        digest = intervals.getLast().fingerprint(digest);
    }

    private static boolean isBusy(PoolLoad load) {
        return load.replicas().stream().anyMatch(each -> each.running() + each.waiting() > 0);
    }

    private void forgetOldest() {
        var oldest = newest.firstEntry();
        for (var source : newest.entrySet()) {
            if (source.getValue().at().isBefore(oldest.getValue().at())) {
                oldest = source;
            }
        }
        newest.remove(oldest.getKey());
    }

    /// Spreads a report over the intervals that it covers, at most over a minute of them.
    private void count(Instant at, PoolLoad load) {
        long end = at.toEpochMilli();
        long covered = Math.clamp(load.over().toMillis(), 1, 60_000);
        long first = Math.floorDiv(end - covered, SECONDS * 1000L);
        long last = Math.floorDiv(end - 1, SECONDS * 1000L);
        reach(last);
        var parts = (int) (last - first + 1);
        for (int i = 0; i < parts; i++) {
            LoadInterval interval = find(first + i);
            interval.add(load, i, parts);
        }
    }

    /// Adds empty intervals up to this one, and forgets the oldest.
    private void reach(long number) {
        LoadInterval last = intervals.peekLast();
        if (last == null || number - last.number() > INTERVALS) {
            intervals.clear();
            intervals.add(LoadInterval.empty(number));
        }
        while (intervals.getLast().number() < number) {
            intervals.addLast(LoadInterval.empty(intervals.getLast().number() + 1));
        }
        while (intervals.size() > INTERVALS) {
            intervals.removeFirst();
        }
    }

    /// The interval of that number; the oldest or the newest where it is outside of them.
    private LoadInterval find(long number) {
        var newestFirst = intervals.descendingIterator();
        LoadInterval found = newestFirst.next();
        while (found.number() > number && newestFirst.hasNext()) {
            found = newestFirst.next();
        }
        return found;
    }

    /// The newest report of each source, by the source's name.
    public List<Sample> newestBySource() {
        return new ArrayList<>(newest.values());
    }

    /// The newest report of all; null before the first one.
    public @Nullable Sample newest() {
        Sample found = null;
        for (Sample sample : newest.values()) {
            found = found == null || sample.at().isAfter(found.at()) ? sample : found;
        }
        return found;
    }

    /// When a request last arrived, ran or waited; null when there was none.
    public @Nullable Instant lastRequest() {
        return lastRequest;
    }

    /// The sums per interval, the oldest first; those without a report are empty. The last one may
    /// still grow.
    public List<LoadInterval> intervals() {
        return intervals.stream().map(LoadInterval::copy).toList();
    }

    /// The sum of the whole intervals of the last `over` that are complete at `now`; of the newest
    /// complete one where `over` is shorter.
    public LoadInterval sum(Instant now, Duration over) {
        long end = Math.floorDiv(now.getEpochSecond(), (long) SECONDS);
        long first = end - Math.max(1, over.toSeconds() / SECONDS);
        LoadInterval sum = LoadInterval.empty(first);
        for (LoadInterval interval : intervals) {
            if (interval.number() >= first && interval.number() < end) {
                sum.add(interval);
            }
        }
        return sum;
    }

    public IterationTimes times() {
        return times;
    }

    /// What the reports since an instant say together.
    public LoadNow since(Instant oldest) {
        int sources = 0;
        int held = 0;
        long heldTokens = 0;
        int sessions = 0;
        long context = 0;
        long depth = 0;
        int firstToken = 0;
        for (Sample sample : newest.values()) {
            if (!sample.at().isBefore(oldest)) {
                PoolLoad load = sample.load();
                sources++;
                held += load.held();
                heldTokens += load.heldTokens();
                sessions += load.sessions();
                context = Math.max(context, load.contextTokens());
                depth += load.queueDepth();
                firstToken = Math.max(firstToken, load.firstTokenP95Millis());
            }
        }
        var replicas = replicasSince(oldest).values().stream().filter(ReplicaLoad::ready).toList();
        int ready = replicas.size();
        return new LoadNow(
                sources,
                ready,
                replicas.stream().mapToInt(ReplicaLoad::running).sum(),
                replicas.stream().mapToInt(ReplicaLoad::waiting).sum(),
                replicas.stream().mapToLong(ReplicaLoad::waitingTokens).sum(),
                held,
                heldTokens,
                sessions,
                context,
                depth,
                ready == 0 ? 0 : replicas.stream().mapToInt(ReplicaLoad::kvPermille).sum() / ready,
                firstToken);
    }

    /// What the reports since an instant say of each replica. Requests of several sources add up;
    /// of the use of its KV cache the largest counts.
    public SequencedMap<JobId, ReplicaLoad> replicasSince(Instant oldest) {
        var replicas = new TreeMap<JobId, ReplicaLoad>();
        for (Sample sample : newest.values()) {
            if (!sample.at().isBefore(oldest)) {
                for (ReplicaLoad replica : sample.load().replicas()) {
                    replicas.merge(replica.replica(), replica, LoadHistory::together);
                }
            }
        }
        return replicas;
    }

    private static ReplicaLoad together(ReplicaLoad one, ReplicaLoad other) {
        return new ReplicaLoad(
                one.replica(),
                one.ready() || other.ready(),
                one.running() + other.running(),
                one.waiting() + other.waiting(),
                one.waitingTokens() + other.waitingTokens(),
                Math.max(one.kvPermille(), other.kvPermille()),
                Math.max(one.firstTokenMillis(), other.firstTokenMillis()),
                Math.max(one.interTokenMicros(), other.interTokenMicros()),
                one.promptTokens() + other.promptTokens(),
                one.outputTokens() + other.outputTokens());
    }

    public long digest() {
        return digest;
    }

    public Image image() {
        return new Image(
                newestBySource(),
                intervals.stream().map(LoadInterval::image).toList(),
                times.cells(),
                lastRequest,
                digest);
    }

    public static LoadHistory restored(Image image) {
        var history = new LoadHistory();
        image.newest().forEach(sample -> history.newest.put(sample.load().source(), sample));
        image.intervals().forEach(row -> history.intervals.add(LoadInterval.restored(row)));
        history.times.restore(image.times());
        history.lastRequest = image.lastRequest();
        history.digest = image.digest();
        return history;
    }
}
