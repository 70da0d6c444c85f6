package io.gpusched.core.learn;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Digest;
import io.gpusched.core.model.LearnedRuntime;
import io.gpusched.core.model.LearnedSlowdown;
import io.gpusched.core.model.RuntimeAverages;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// How long kinds of jobs take on GPU models, and how much neighbours slow them down.
///
/// Runs alone and runs beside others are kept apart: only the former tell how fast a GPU is, and a
/// slowdown is measured against them. The table depends on no setting except the retention, which
/// is recorded in events; so a journal leads to the same table under every configuration.
///
/// Beyond the retention, the pair that has been unchanged for longest is dropped first.
public final class ObservationTable {
    private static final double NEWEST = 0.1;

    /// What is known of one kind of job; `version` increases with every change.
    static final class Kind {
        final SequencedMap<String, LearnedRuntime> pairs = new LinkedHashMap<>();
        final SequencedMap<String, LearnedSlowdown> slowdowns = new LinkedHashMap<>();
        long version;

        private boolean isEmpty() {
            return pairs.isEmpty() && slowdowns.isEmpty();
        }
    }

    private record Key(String kind, String of) {}

    private final SequencedMap<String, Kind> kinds = new LinkedHashMap<>();

    /// All pairs and all slowdowns, the longest unchanged first.
    private final SequencedMap<Key, LearnedRuntime> pairs = new LinkedHashMap<>();

    private final SequencedMap<Key, LearnedSlowdown> slowdowns = new LinkedHashMap<>();

    private long retention;
    private long changes;
    private long digest;

    ObservationTable(long retention) {
        this.retention = retention;
    }

    void observed(Event.Observed e) {
        double seconds = e.ran().toNanos() / 1e9;
        LearnedRuntime before = pair(e.kind(), e.gpuModel());
        RuntimeAverages alone = before == null ? RuntimeAverages.NONE : before.alone();
        RuntimeAverages together = before == null ? RuntimeAverages.NONE : before.together();
        if (e.neighbours().isEmpty()) {
            alone = alone.and(seconds);
        } else {
            together = together.and(seconds);
        }
        put(new LearnedRuntime(e.kind(), e.gpuModel(), alone, together, e.at()));
        if (alone.count() > 0) {
            double slower = Math.max(0, (seconds - alone.mean()) / alone.mean());
            e.neighbours().stream()
                    .distinct()
                    .forEach(neighbour -> slowed(e.kind(), neighbour, slower, e.at()));
        }
        forget();
    }

    private void slowed(String kind, String neighbour, double slower, Instant at) {
        LearnedSlowdown before = slowdowns.get(new Key(kind, neighbour));
        double part = before == null ? 0 : before.part();
        put(
                new LearnedSlowdown(
                        kind,
                        neighbour,
                        (1 - NEWEST) * part + NEWEST * slower,
                        before == null ? 1 : before.count() + 1,
                        at));
    }

    void imported(List<LearnedRuntime> runtimes, List<LearnedSlowdown> more) {
        runtimes.forEach(this::put);
        more.forEach(this::put);
        forget();
    }

    void retain(long most) {
        retention = most;
        forget();
    }

    private void put(LearnedRuntime pair) {
        var key = new Key(pair.kind(), pair.gpuModel());
        LearnedRuntime before = pairs.putLast(key, pair);
        digest ^= (before == null ? 0 : fingerprint(before)) ^ fingerprint(pair);
        changed(pair.kind()).pairs.put(pair.gpuModel(), pair);
    }

    private void put(LearnedSlowdown slowdown) {
        var key = new Key(slowdown.kind(), slowdown.neighbour());
        LearnedSlowdown before = slowdowns.putLast(key, slowdown);
        digest ^= (before == null ? 0 : fingerprint(before)) ^ fingerprint(slowdown);
        changed(slowdown.kind()).slowdowns.put(slowdown.neighbour(), slowdown);
    }

    private Kind changed(String name) {
        Kind kind = kinds.computeIfAbsent(name, key -> new Kind());
        kind.version = ++changes;
        return kind;
    }

    private void forget() {
        while (pairs.size() > retention) {
            LearnedRuntime oldest = pairs.pollFirstEntry().getValue();
            digest ^= fingerprint(oldest);
            changed(oldest.kind()).pairs.remove(oldest.gpuModel());
            dropIfEmpty(oldest.kind());
        }
        while (slowdowns.size() > retention) {
            LearnedSlowdown oldest = slowdowns.pollFirstEntry().getValue();
            digest ^= fingerprint(oldest);
            changed(oldest.kind()).slowdowns.remove(oldest.neighbour());
            dropIfEmpty(oldest.kind());
        }
    }

    private void dropIfEmpty(String name) {
        Kind kind = kinds.get(name);
        if (kind != null && kind.isEmpty()) {
            kinds.remove(name);
        }
    }

    SequencedMap<String, Kind> kinds() {
        return Collections.unmodifiableSequencedMap(kinds);
    }

    /// What is known of the pair; null when it was never seen, or was dropped.
    public @Nullable LearnedRuntime pair(String kind, String gpuModel) {
        return pairs.get(new Key(kind, gpuModel));
    }

    /// All pairs, the longest unchanged first.
    public List<LearnedRuntime> pairs() {
        return List.copyOf(pairs.values());
    }

    /// All slowdowns, the longest unchanged first.
    public List<LearnedSlowdown> slowdowns() {
        return List.copyOf(slowdowns.values());
    }

    public long retention() {
        return retention;
    }

    /// Increases with every change.
    public long version() {
        return changes;
    }

    long digest() {
        return digest;
    }

    private static long fingerprint(LearnedRuntime pair) {
        long hash = Digest.mix(Digest.of(pair.kind()), Digest.of(pair.gpuModel()));
        return fingerprint(fingerprint(hash, pair.alone()), pair.together());
    }

    private static long fingerprint(long hash, RuntimeAverages times) {
        long mixed = Digest.mix(hash, Double.doubleToLongBits(times.mean()));
        mixed = Digest.mix(mixed, Double.doubleToLongBits(times.variance()));
        return Digest.mix(mixed, times.count());
    }

    private static long fingerprint(LearnedSlowdown slowdown) {
        long hash = Digest.mix(Digest.of(slowdown.neighbour()), Digest.of(slowdown.kind()));
        return Digest.mix(
                Digest.mix(hash, Double.doubleToLongBits(slowdown.part())), slowdown.count());
    }
}
