package io.gpusched.sim.scaling;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.Replica;
import io.gpusched.core.pool.PoolId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Adds up what the replicas of a pool held, by the events of a journal or of a run. Both sides of
/// a comparison are measured by it.
final class ReplicaUsage {
    private static final double NANOS_PER_HOUR = 3.6e12;

    /// Tells what a replica costs, in millionths of a dollar per hour.
    interface Price {
        long of(JobId replica);
    }

    /// @param microDollars per hour
    private record HeldSince(Instant since, long microDollars) {}

    /// A replica held capacity.
    private record Held(Instant since, Instant until, long milliGpus, long microDollars) {}

    private record Change(Instant at, int by) {}

    private final PoolId pool;
    private final Instant from;
    private final Map<JobId, Long> milliGpus = new TreeMap<>();
    private final Map<JobId, HeldSince> holding = new TreeMap<>();
    private final Set<JobId> leaving = new TreeSet<>();
    private final List<Held> held = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();
    private final List<Instant> losses = new ArrayList<>();
    private Instant to = Instant.MAX;

    /// @param from nothing counts that was before
    ReplicaUsage(PoolId pool, Instant from) {
        this.pool = pool;
        this.from = from;
    }

    /// A replica that there is at the beginning.
    void begin(JobId replica, JobSpec spec) {
        milliGpus.put(replica, spec.milliGpus());
    }

    /// A replica holds capacity from now on.
    void place(JobId replica, Instant at, Price price) {
        holding.put(replica, new HeldSince(at, price.of(replica)));
    }

    /// Takes in an event after it was applied.
    void note(Event event, Price price) {
        switch (event) {
            case Event.JobSubmitted e -> {
                Replica replica = e.spec().replica();
                if (replica != null && replica.pool().equals(pool.name())) {
                    begin(e.job(), e.spec());
                }
            }
            case Event.AttemptPlaced e -> {
                if (milliGpus.containsKey(e.attempt().job())) {
                    place(e.attempt().job(), e.at(), price);
                }
            }
            case Event.JobRequeued e -> {
                if (holding.containsKey(e.job())) {
                    losses.add(e.at());
                }
                leave(e.job(), e.at());
            }
            case Event.ReplicaDraining e -> leaving.add(e.job());
            case Event.JobEnded e -> ended(e);
            case Event.PoolScaled e -> {
                if (e.pool().equals(pool)) {
                    changes.add(new Change(e.at(), e.to() - e.from()));
                }
            }
            default -> {}
        }
    }

    private void ended(Event.JobEnded e) {
        if (milliGpus.containsKey(e.job())) {
            boolean stopped = e.outcome().result() == Outcome.Result.CANCELLED;
            if (!leaving.remove(e.job()) && !stopped) {
                losses.add(e.at());
            }
            leave(e.job(), e.at());
            milliGpus.remove(e.job());
        }
    }

    private void leave(JobId replica, Instant at) {
        HeldSince before = holding.remove(replica);
        if (before != null) {
            held.add(
                    new Held(
                            before.since(),
                            at,
                            milliGpus.getOrDefault(replica, 0L),
                            before.microDollars()));
        }
    }

    /// Counts nothing that is after this. Nothing may be noted afterwards.
    void end(Instant last) {
        to = last;
        List.copyOf(holding.keySet()).forEach(replica -> leave(replica, Instant.MAX));
    }

    double replicaHours() {
        return held.stream().mapToDouble(this::hours).sum();
    }

    double gpuHours() {
        return held.stream().mapToDouble(one -> hours(one) * one.milliGpus() / 1000).sum();
    }

    double dollars() {
        return held.stream().mapToDouble(one -> hours(one) * one.microDollars() / 1e6).sum();
    }

    private double hours(Held one) {
        Instant since = one.since().isBefore(from) ? from : one.since();
        Instant until = one.until().isAfter(to) ? to : one.until();
        return until.isAfter(since) ? Duration.between(since, until).toNanos() / NANOS_PER_HOUR : 0;
    }

    /// Replicas that decisions added.
    int added() {
        return changes.stream()
                .filter(one -> counts(one.at()))
                .mapToInt(Change::by)
                .filter(by -> by > 0)
                .sum();
    }

    /// Replicas that decisions removed.
    int removed() {
        return -changes.stream()
                .filter(one -> counts(one.at()))
                .mapToInt(Change::by)
                .filter(by -> by < 0)
                .sum();
    }

    /// How often a replica lost its capacity or ended by itself.
    int lost() {
        return (int) losses.stream().filter(this::counts).count();
    }

    private boolean counts(Instant at) {
        return !at.isBefore(from) && !at.isAfter(to);
    }
}
