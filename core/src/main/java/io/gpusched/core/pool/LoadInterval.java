package io.gpusched.core.pool;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.Digest;

import java.util.ArrayList;
import java.util.List;

/// What all sources counted in one interval of [LoadHistory#SECONDS] seconds, or in several.
public final class LoadInterval {
    private static final int COUNTS = LoadCount.values().length;

    private final long number;
    private final long[] counts;

    private LoadInterval(long number, long[] counts) {
        this.number = number;
        this.counts = counts;
    }

    static LoadInterval empty(long number) {
        return new LoadInterval(number, new long[COUNTS]);
    }

    /// The interval's start in seconds since the epoch, divided by its length.
    public long number() {
        return number;
    }

    public long of(LoadCount count) {
        return counts[count.ordinal()];
    }

    /// The mean of a gauge over the time that reports covered.
    public double mean(LoadCount gauge) {
        return mean(gauge, LoadCount.COVERED);
    }

    /// The mean of a gauge over the time that reports covered which told of it.
    public double mean(LoadCount gauge, LoadCount coveredBy) {
        long covered = of(coveredBy);
        return covered == 0 ? 0 : (double) of(gauge) / covered;
    }

    /// Adds one part of a report that covers several intervals; the parts add up to the whole.
    void add(PoolLoad load, int part, int parts) {
        long all = Math.clamp(load.over().toMillis(), 0, 3_600_000);
        long millis = share(all, part, parts);
        List<ReplicaLoad> ready = load.replicas().stream().filter(ReplicaLoad::ready).toList();
        long kv = ready.stream().mapToLong(ReplicaLoad::kvPermille).sum();
        long flying = load.held();
        long queued = load.heldTokens();
        for (ReplicaLoad replica : load.replicas()) {
            flying += replica.running() + replica.waiting();
            queued += replica.waitingTokens();
        }
        add(LoadCount.COVERED, millis);
        add(LoadCount.ARRIVALS, share(load.arrivals(), part, parts));
        add(LoadCount.REJECTED, share(load.rejected(), part, parts));
        add(LoadCount.ANSWERED, share(load.answered(), part, parts));
        add(LoadCount.WITHIN_SLO, share(load.withinSlo(), part, parts));
        add(LoadCount.TOOL_CALLS, share(load.toolCalls(), part, parts));
        add(LoadCount.PROMPT_TOKENS, share(load.promptTokens(), part, parts));
        add(LoadCount.OUTPUT_TOKENS, share(load.outputTokens(), part, parts));
        add(LoadCount.IN_FLIGHT, flying * millis);
        add(LoadCount.TOKENS_IN_QUEUE, queued * millis);
        add(LoadCount.SESSIONS, load.sessions() * millis);
        add(LoadCount.QUEUE_DEPTH, load.queueDepth() * millis);
        add(LoadCount.CONTEXT_TOKENS, load.contextTokens() * millis);
        add(LoadCount.KV_PERMILLE, ready.isEmpty() ? 0 : kv * millis / ready.size());
        add(LoadCount.FIRST_TOKEN, load.firstTokenP95Millis() * millis);
        add(LoadCount.FIRST_TOKEN_COVERED, load.firstTokenP95Millis() > 0 ? millis : 0);
        add(LoadCount.CONTEXT_COVERED, load.contextTokens() > 0 ? millis : 0);
        add(LoadCount.KV_COVERED, ready.isEmpty() ? 0 : millis);
        add(LoadCount.READY, ready.size() * millis);
    }

    private static long share(long whole, int part, int parts) {
        return whole * (part + 1) / parts - whole * part / parts;
    }

    private void add(LoadCount count, long value) {
        counts[count.ordinal()] += value;
    }

    void add(LoadInterval other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
    }

    long fingerprint(long hash) {
        long mixed = Digest.mix(hash, number);
        for (int i = 0; i < LoadCount.IN_DIGEST; i++) {
            mixed = Digest.mix(mixed, counts[i]);
        }
        return mixed;
    }

    LoadInterval copy() {
        return new LoadInterval(number, counts.clone());
    }

    /// The number, then the counts in the order of [LoadCount].
    List<Long> image() {
        var row = new ArrayList<Long>();
        row.add(number);
        for (long count : counts) {
            row.add(count);
        }
        return List.copyOf(row);
    }

    /// Counts that are not there, because the snapshot is older than they are, are 0; but a gauge
    /// whose own time was not counted yet covers the time of all reports.
    static LoadInterval restored(List<Long> row) {
        Check.that(!row.isEmpty(), "an interval has a number");
        LoadInterval interval = empty(row.getFirst());
        for (int i = 1; i < row.size() && i <= COUNTS; i++) {
            interval.counts[i - 1] = row.get(i);
        }
        if (row.size() <= LoadCount.CONTEXT_COVERED.ordinal() + 1) {
            interval.add(LoadCount.CONTEXT_COVERED, interval.of(LoadCount.COVERED));
            interval.add(LoadCount.KV_COVERED, interval.of(LoadCount.COVERED));
        }
        return interval;
    }
}
