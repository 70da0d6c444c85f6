package io.gpusched.sim.scaling;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.PoolCost;
import io.gpusched.core.engine.PoolSizing;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;
import io.gpusched.sim.pools.PoolCase;
import io.gpusched.sim.whatif.InvalidWhatIf;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Gathers what a journal says about a pool. It begins with the first report that tells of a
/// request or of a ready replica, at the chosen time or after it.
final class PoolRecorder {
    /// A law looks back an hour at most.
    private static final Duration EARLIER = Duration.ofHours(1);

    /// A longer report says little about when its requests came.
    private static final Duration LONGEST_REPORT = Duration.ofMinutes(1);

    private static final Duration ROOM_EVERY = Duration.ofMinutes(1);

    /// About 400 bytes each.
    private static final int MOST_REPORTS = 1_000_000;

    private final PoolId id;
    private final Instant since;
    private final int mostReplicas;
    private final LoadHistory seen = new LoadHistory();
    private final ArrayDeque<LoadHistory.Sample> before = new ArrayDeque<>();
    private final List<LoadHistory.Sample> reports = new ArrayList<>();
    private final List<PoolRecord.Change> changes = new ArrayList<>();
    private final List<PoolCase.RoomAt> rooms = new ArrayList<>();
    private final Map<JobId, Instant> loading = new TreeMap<>();
    private final List<Duration> loads = new ArrayList<>();
    private @Nullable ReplicaUsage usage;
    private @Nullable Pool pool;
    private @Nullable Integer held;
    private Instant from = Instant.EPOCH;
    private Duration usualLoad = Duration.ZERO;
    private Instant nextRoom = Instant.EPOCH;
    private int initial;
    private long arrivals;
    private long rejected;
    private long answered;
    private long within;
    private long kept;
    private boolean known;

    /// @param since no earlier report counts
    /// @param mostReplicas room for more than that is not counted
    PoolRecorder(PoolId id, Instant since, int mostReplicas) {
        this.id = id;
        this.since = since;
        this.mostReplicas = mostReplicas;
    }

    /// Receives a batch before the engine applies it.
    void before(Batch batch, Engine past) {
        for (Event fact : batch.facts()) {
            if (fact instanceof Event.PoolLoadChanged e
                    && e.pool().equals(id)
                    && seen.isNew(e.at(), e.load())) {
                seen.add(e.at(), e.load());
                report(new LoadHistory.Sample(e.at(), e.load()), past);
            }
        }
    }

    private void report(LoadHistory.Sample sample, Engine past) {
        PoolEntry entry = past.state().pools().find(id);
        if (pool == null && entry != null && !sample.at().isBefore(since) && tells(sample.load())) {
            begin(sample, entry, past);
        }
        kept += size(sample);
        if (pool == null) {
            before.addLast(sample);
            while (before.getFirst().at().isBefore(sample.at().minus(EARLIER))) {
                kept -= size(before.removeFirst());
            }
            return;
        }
        if (reports.size() == MOST_REPORTS) {
            throw new InvalidWhatIf(
                    "pool %s: expected at most %,d reports of load, found more after %s; choose a later beginning"
                            .formatted(id, MOST_REPORTS, from));
        }
        reports.add(sample);
        PoolLoad load = sample.load();
        kept += load.arrivals();
        arrivals += load.arrivals();
        rejected += load.rejected();
        answered += load.answered();
        within += load.withinSlo();
    }

    private static long size(LoadHistory.Sample sample) {
        return 1L + sample.load().replicas().size();
    }

    /// Reports that are kept, replicas that they tell of, and requests that follow from them.
    long kept() {
        return kept;
    }

    private static boolean tells(PoolLoad load) {
        return load.arrivals() > 0 || load.replicas().stream().anyMatch(ReplicaLoad::ready);
    }

    private void begin(LoadHistory.Sample first, PoolEntry entry, Engine past) {
        Duration over = first.load().over();
        from = first.at().minus(over.compareTo(LONGEST_REPORT) < 0 ? over : LONGEST_REPORT);
        pool = entry.pool();
        held = entry.hold();
        usualLoad = entry.loadTime();
        var counted = new ReplicaUsage(id, from);
        for (ReplicaStatus status : entry.replicas()) {
            Job job = past.state().job(status.job());
            Instant placed = status.placed();
            if (job != null) {
                counted.begin(status.job(), job.spec());
            }
            if (placed != null) {
                initial += status.draining() == null ? 1 : 0;
                counted.place(status.job(), placed, price(past));
            }
        }
        usage = counted;
        room(entry, past, from);
    }

    /// Receives the batch after the engine has applied it.
    void after(Batch batch, Engine past) {
        known |= past.state().pools().find(id) != null;
        batch.facts().forEach(event -> note(event, past));
        batch.decided().forEach(event -> note(event, past));
        PoolEntry entry = past.state().pools().find(id);
        if (pool != null && entry != null && !batch.at().isBefore(nextRoom)) {
            room(entry, past, batch.at());
        }
    }

    private void note(Event event, Engine past) {
        switch (event) {
            case Event.PoolPut e ->
                    change(e.pool().id(), e.at(), new Command.PutPool(e.pool(), e.by()));
            case Event.PoolHeld e ->
                    change(
                            e.pool(),
                            e.at(),
                            new Command.ScalePool(e.pool(), e.replicas(), e.reason(), e.by()));
            case Event.PoolLoadChanged e -> {
                if (e.pool().equals(id)) {
                    e.load().replicas().forEach(replica -> ready(replica, e.at()));
                }
            }
            case Event.AttemptPlaced e -> loading.put(e.attempt().job(), e.at());
            case Event.JobRequeued e -> loading.remove(e.job());
            case Event.JobEnded e -> loading.remove(e.job());
            default -> {}
        }
        if (usage != null) {
            usage.note(event, price(past));
        }
    }

    private void change(PoolId of, Instant at, Command command) {
        if (of.equals(id) && pool != null) {
            changes.add(new PoolRecord.Change(at, command));
        }
    }

    private void ready(ReplicaLoad replica, Instant at) {
        Instant placed = replica.ready() ? loading.remove(replica.replica()) : null;
        if (placed != null) {
            loads.add(Duration.between(placed, at));
        }
    }

    private ReplicaUsage.Price price(Engine past) {
        return replica -> {
            PoolEntry entry = past.state().pools().find(id);
            if (entry != null) {
                for (ReplicaStatus status : entry.replicas()) {
                    if (status.job().equals(replica)) {
                        return new PoolCost(past.state()).of(status);
                    }
                }
            }
            return 0;
        };
    }

    /// Counts for how many replicas there is capacity, with those that have it.
    private void room(PoolEntry entry, Engine past, Instant at) {
        int placed = 0;
        for (ReplicaStatus status : entry.replicas()) {
            placed += status.placed() == null ? 0 : 1;
        }
        int most = Math.max(mostReplicas, entry.pool().max());
        int more = PoolSizing.of(past, at).room(entry, Math.max(0, most - placed));
        rooms.add(new PoolCase.RoomAt(at, placed + more));
        nextRoom = at.plus(ROOM_EVERY);
    }

    /// Ends the record with the last report.
    PoolRecord record(Engine past) {
        Pool recorded = pool;
        ReplicaUsage counted = usage;
        if (recorded == null || counted == null) {
            throw new InvalidWhatIf(
                    known
                            ? "pool %s: expected reports of load%s, found none; a gateway sends them"
                                    .formatted(
                                            id,
                                            since.equals(Instant.EPOCH) ? "" : " since " + since)
                            : "expected a pool of the journal, found no pool %s%s"
                                    .formatted(id, others(past)));
        }
        Instant to = reports.getLast().at();
        counted.end(to);
        Collections.sort(loads);
        return new PoolRecord(
                recorded,
                held,
                from,
                to,
                initial,
                List.copyOf(before),
                reports,
                changes,
                rooms,
                loads.isEmpty() ? usualLoad : loads.get(loads.size() / 2),
                loads.size(),
                past.settings().policy().plugins().scalers(),
                new PoolRecord.Figures(
                        arrivals,
                        rejected,
                        answered,
                        within,
                        counted.replicaHours(),
                        counted.gpuHours(),
                        counted.dollars(),
                        counted.added(),
                        counted.removed(),
                        counted.lost()));
    }

    private static String others(Engine past) {
        List<String> names =
                past.state().pools().all().stream().map(entry -> entry.id().name()).toList();
        return names.isEmpty()
                ? "; there is none at its end"
                : "; at its end there are " + String.join(", ", names);
    }
}
