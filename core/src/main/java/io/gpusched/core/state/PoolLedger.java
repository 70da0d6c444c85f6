package io.gpusched.core.state;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.Digest;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Replica;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// The pools' part of the ledger: what each event about a pool or one of its replicas changes.
public final class PoolLedger {
    private final JobTable jobs;
    private final RunIndex runs;
    private final ModelLedger models;
    private final Predicate<NodeId> isSpot;
    private final StartProbes probes;
    private final SequencedMap<PoolId, PoolEntry> pools = new TreeMap<>();
    private final SequencedSet<PoolId> draining = new TreeSet<>();

    /// Parts of the digest, and the pools whose parts are no longer right.
    private final SequencedMap<PoolId, Long> digests = new TreeMap<>();

    private final SequencedSet<PoolId> changed = new TreeSet<>();
    private long digest;
    private int ledger = Event.EngineStarted.LEDGER;

    PoolLedger(JobTable jobs, RunIndex runs, ModelLedger models, Predicate<NodeId> isSpot) {
        this.jobs = jobs;
        this.runs = runs;
        this.models = models;
        this.isSpot = isSpot;
        this.probes = new StartProbes(jobs);
    }

    /// From now on events change pools by the rules of that version.
    void follow(int version) {
        ledger = version;
        changed.addAll(pools.keySet());
    }

    void restore(PoolImage image) {
        PoolEntry entry = PoolEntry.restored(image);
        pools.put(entry.id(), entry);
        changed.add(entry.id());
        drainAnew(entry);
    }

    /// Takes in an event that the jobs' part has recorded already.
    void hear(Event event) {
        switch (event) {
            case Event.PoolPut e -> put(e);
            case Event.PoolRemoved e ->
                    with(
                            e.pool(),
                            entry -> {
                                entry.remove(e.at());
                                forget(entry);
                            });
            case Event.PoolHeld e -> with(e.pool(), entry -> entry.held(e));
            case Event.PoolLoadChanged e -> with(e.pool(), entry -> loaded(entry, e));
            case Event.PoolRecommended e -> with(e.pool(), entry -> entry.recommended(e));
            case Event.PoolScaled e -> with(e.pool(), entry -> entry.scaled(e));
            case Event.PoolChoice e -> with(e.pool(), entry -> entry.chosen(e));
            case Event.PoolLapsed e -> with(e.pool(), entry -> entry.lapsed(e));
            case Event.ReplicaDraining e -> draining(e);
            default -> {
                if (!pools.isEmpty()) {
                    hearOfJob(event);
                }
            }
        }
    }

    private void hearOfJob(Event event) {
        switch (event) {
            case Event.JobSubmitted e -> {
                Replica replica = e.spec().replica();
                if (replica != null) {
                    with(replica, entry -> entry.submitted(replica.number(), e.job()));
                }
            }
            case Event.AttemptPlaced e ->
                    of(e.attempt().job(), (entry, number) -> entry.placed(number, e.at()));
            case Event.AttemptRunning e ->
                    of(e.attempt().job(), (entry, number) -> running(entry, number, e.at()));
            case Event.JobRequeued e -> of(e.job(), PoolEntry::requeued);
            case Event.NodeChanged e -> {
                if (isInterruption(e.status()) && isSpot.test(e.node())) {
                    interrupted(e);
                }
            }
            case Event.JobEnded e ->
                    of(
                            e.job(),
                            (entry, number) -> {
                                if (ledger > 0 && probes.isProven(entry, e.at())) {
                                    entry.proven();
                                }
                                entry.ended(number, e.outcome(), e.at());
                                if (!entry.hasDraining()) {
                                    draining.remove(entry.id());
                                }
                                forget(entry);
                            });
            default -> {}
        }
    }

    /// Whether the node is taken away or was lost.
    private static boolean isInterruption(NodeStatus status) {
        return status.reach() == NodeStatus.Reach.LOST
                || (status.draining() && status.nodeClosure().isAutomatic());
    }

    /// A notice stops the replicas of the node; that their node falls silent and is lost after that
    /// is the same interruption. The oldest journals were recorded with each change counted.
    private void interrupted(Event.NodeChanged e) {
        for (PoolEntry entry : pools.values()) {
            for (ReplicaStatus status : entry.replicas()) {
                Job job = jobs.job(status.job().number());
                Run run = job == null ? null : job.phase().run();
                if (job != null
                        && run != null
                        && (ledger == 0 || !(job.phase() instanceof Phase.Stopping))
                        && run.on().slots().stream().anyMatch(s -> s.node().equals(e.node()))) {
                    entry.interrupted(e.at());
                    changed.add(entry.id());
                }
            }
        }
    }

    private interface Change {
        void make(PoolEntry entry);
    }

    private interface ReplicaChange {
        void make(PoolEntry entry, int number);
    }

    private void with(Replica replica, Change change) {
        with(new PoolId(replica.pool()), change);
    }

    private void with(PoolId id, Change change) {
        PoolEntry entry = pools.get(id);
        if (entry != null) {
            changed.add(id);
            change.make(entry);
        }
    }

    /// An event about a job that is the present replica of that number; nothing for any other.
    private void of(JobId id, ReplicaChange change) {
        Job job = jobs.job(id.number());
        Replica replica = job == null ? null : job.spec().replica();
        if (replica == null) {
            return;
        }
        with(
                replica,
                entry -> {
                    ReplicaStatus status = entry.replica(replica.number());
                    if (status != null && status.job().equals(id)) {
                        change.make(entry, replica.number());
                    }
                });
    }

    private void put(Event.PoolPut e) {
        changed.add(e.pool().id());
        PoolEntry entry = pools.get(e.pool().id());
        if (entry == null) {
            pools.put(e.pool().id(), new PoolEntry(e.pool(), e.at()));
        } else {
            // In the oldest journals a pool kept everything beyond its removal.
            if (entry.removed() && ledger > 0) {
                entry = entry.followedBy(e.pool(), e.at());
                pools.put(entry.id(), entry);
            } else {
                entry.put(e.pool(), e.at());
            }
            PoolEntry present = entry;
            present.replicas().forEach(each -> running(present, each.number(), e.at()));
            drainAnew(present);
        }
    }

    /// The oldest journals were recorded with replicas that only reports made ready.
    private void running(PoolEntry entry, int number, Instant at) {
        ReplicaStatus status = entry.replica(number);
        Job job = status == null ? null : jobs.job(status.job().number());
        boolean runs = job != null && job.phase() instanceof Phase.Running;
        if (status != null && runs && ledger > 0) {
            entry.running(status, at);
        }
    }

    /// Another drain time counts for replicas that drain already.
    private void drainAnew(PoolEntry entry) {
        for (ReplicaStatus status : entry.replicas()) {
            if (status.draining() != null) {
                draining.add(entry.id());
                leaves(entry.pool(), status.job(), status.draining());
            }
        }
    }

    private void forget(PoolEntry entry) {
        if (entry.isOver()) {
            pools.remove(entry.id());
        }
    }

    /// A replica that has become ready has the model that it was made with on its nodes; the oldest
    /// journals were recorded with the pool's model.
    private void loaded(PoolEntry entry, Event.PoolLoadChanged e) {
        entry.loaded(e);
        for (ReplicaStatus status : entry.replicas()) {
            Job job = jobs.job(status.job().number());
            Run run = job == null ? null : job.phase().run();
            String model =
                    job == null || ledger == 0
                            ? entry.pool().model()
                            : job.spec().labels().value(ModelSpec.LABEL);
            if (e.at().equals(status.ready()) && run != null && !model.isEmpty()) {
                for (Slot slot : run.on().slots()) {
                    models.loaded(slot.node(), model, e.at());
                }
            }
        }
    }

    private void draining(Event.ReplicaDraining e) {
        of(
                e.job(),
                (entry, number) -> {
                    entry.draining(number, e.at());
                    draining.add(entry.id());
                    leaves(entry.pool(), e.job(), e.at());
                });
    }

    private void leaves(Pool pool, JobId id, Instant since) {
        Job job = jobs.job(id.number());
        if (job != null && job.phase().run() != null) {
            Instant drained = since.plus(pool.serving().drain());
            runs.leavesBy(job, drained.plus(job.spec().onLoss().grace()));
        }
    }

    public boolean isEmpty() {
        return pools.isEmpty();
    }

    /// All pools, by name.
    public List<PoolEntry> all() {
        return new ArrayList<>(pools.values());
    }

    public @Nullable PoolEntry find(PoolId id) {
        return pools.get(id);
    }

    /// The pool of which the job is a replica; null when it is none.
    public @Nullable PoolEntry of(Job job) {
        Replica replica = job.spec().replica();
        return replica == null ? null : pools.get(new PoolId(replica.pool()));
    }

    public PoolCounts counts(PoolEntry entry) {
        int[] counts = new int[ReplicaStatus.State.values().length];
        for (ReplicaStatus status : entry.replicas()) {
            Job job = jobs.job(status.job().number());
            if (job != null) {
                counts[status.state(job).ordinal()]++;
            }
        }
        return new PoolCounts(
                counts[2],
                counts[1],
                counts[0],
                counts[3],
                Math.min(counts[2], entry.warm().size()));
    }

    /// Whether the job is a replica that is ready beyond what the load of its pool needs.
    public boolean isWarm(Job job) {
        PoolEntry entry = of(job);
        return entry != null && entry.pool().warm() > 0 && entry.warm().contains(job.id());
    }

    /// Whether the waiting job is a replica that would only be kept warm: its pool has the replicas
    /// that its load and `min` need, or others are being preempted for them. No job is preempted
    /// for such a replica.
    ///
    /// @param claims all claims
    public boolean wouldBeWarm(Job job, List<Claim> claims) {
        PoolEntry entry = of(job);
        if (entry == null || entry.pool().warm() == 0) {
            return false;
        }
        int have = counts(entry).placed();
        for (Claim claim : claims) {
            boolean room =
                    claim.kind() == Claim.Kind.ROOM
                            && claim.claimHolder() instanceof ClaimHolder.OfJob of
                            && !of.job().equals(job.id())
                            && isOf(entry, of.job());
            have += room ? 1 : 0;
        }
        return have >= Math.max(entry.needed(), entry.pool().min());
    }

    /// Whether the pool keeps replicas warm and has placed those that its load and `min` need.
    public boolean hasNeeded(PoolEntry entry) {
        return entry.pool().warm() > 0
                && counts(entry).placed() >= Math.max(entry.needed(), entry.pool().min());
    }

    private boolean isOf(PoolEntry entry, JobId id) {
        Job job = jobs.job(id.number());
        return job != null && entry.equals(of(job));
    }

    /// Whether a replica, which had no end so far, has one from now on: what it holds can be
    /// reserved.
    boolean endsReplica(Event event) {
        return switch (event) {
            case Event.ReplicaDraining _ -> true;
            case Event.AttemptStopping e -> poolOf(e.attempt().job()) != null;
            default -> false;
        };
    }

    /// Whether a waiting replica may be needed after this event although it would only have been
    /// warm before.
    boolean mayNeedMore(Event event) {
        return switch (event) {
            case Event.PoolPut e -> e.pool().warm() > 0;
            case Event.PoolHeld e -> keepsWarm(pools.get(e.pool()));
            case Event.PoolRecommended e -> keepsWarm(pools.get(e.pool()));
            case Event.PoolScaled e -> keepsWarm(pools.get(e.pool()));
            case Event.ClaimDropped _ -> pools.values().stream().anyMatch(PoolLedger::keepsWarm);
            case Event.ReplicaDraining e -> keepsWarm(poolOf(e.job()));
            case Event.AttemptStopping e -> keepsWarm(poolOf(e.attempt().job()));
            case Event.JobRequeued e -> keepsWarm(poolOf(e.job()));
            case Event.JobEnded e -> keepsWarm(poolOf(e.job()));
            default -> false;
        };
    }

    private @Nullable PoolEntry poolOf(JobId id) {
        Job job = pools.isEmpty() ? null : jobs.job(id.number());
        return job == null ? null : of(job);
    }

    private static boolean keepsWarm(@Nullable PoolEntry entry) {
        return entry != null && entry.pool().warm() > 0;
    }

    /// The pools of which a replica drains, by name.
    public List<PoolEntry> withDraining() {
        var all = new ArrayList<PoolEntry>();
        for (PoolId id : draining) {
            PoolEntry entry = pools.get(id);
            if (entry != null) {
                all.add(entry);
            }
        }
        return all;
    }

    /// Whether replicas can start again after failures.
    public StartProbes probes() {
        return probes;
    }

    /// When the first draining replica has had its time; null when none drains.
    public @Nullable Instant nextDrained() {
        Instant first = null;
        for (PoolEntry entry : withDraining()) {
            for (ReplicaStatus status : entry.replicas()) {
                Job job = jobs.job(status.job().number());
                if (status.draining() != null
                        && job != null
                        && status.state(job) == ReplicaStatus.State.DRAINING
                        && !(job.phase() instanceof Phase.Stopping)) {
                    first =
                            Instants.earlier(
                                    first, status.draining().plus(entry.pool().serving().drain()));
                }
            }
        }
        return first;
    }

    List<PoolImage> images() {
        return pools.values().stream().map(PoolEntry::image).toList();
    }

    /// Only the parts of pools that changed are computed anew.
    long digest() {
        for (PoolId id : changed) {
            PoolEntry entry = pools.get(id);
            Long before =
                    entry == null
                            ? digests.remove(id)
                            : digests.put(id, Digest.mix(0x9001, entry.digest(ledger)));
            digest ^= before == null ? 0 : before;
            digest ^= entry == null ? 0 : digests.getOrDefault(id, 0L);
        }
        changed.clear();
        return digest;
    }
}
