package io.gpusched.core.pool;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// The reports of a pool's load, the newest ones of each source. It is a fold over events and
/// bounded.
public final class LoadHistory {
    /// The most reports that are kept.
    private static final int KEPT = 360;

    /// A report with the time at which it was taken in.
    public record Sample(Instant at, PoolLoad load) {}

    private final ArrayDeque<Sample> samples = new ArrayDeque<>();

    /// Takes a report in.
    public void add(Instant at, PoolLoad load) {
        samples.addLast(new Sample(at, load));
        if (samples.size() > KEPT) {
            samples.removeFirst();
        }
    }

    /// The reports, the oldest first.
    public List<Sample> samples() {
        return new ArrayList<>(samples);
    }

    public @Nullable Sample newest() {
        return samples.peekLast();
    }
}
