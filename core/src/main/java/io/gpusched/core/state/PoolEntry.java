package io.gpusched.core.state;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Digest;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.pool.ServingChoice;
import io.gpusched.core.scale.ScaleLimiter;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;

/// The ledger's part about one pool: its replicas by number, its load, and what was decided.
public final class PoolEntry {
    /// A replica that served for so long shows that replicas can start.
    static final Duration PROVEN = Duration.ofMinutes(1);

    /// The shortest time that the ledger can tell.
    public static final Duration MOMENT = Duration.ofNanos(1_000);

    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(10);
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(5);
    private static final int RECENT = 50;

    /// Of a smoothed load time, one new measurement counts for this part.
    private static final int SMOOTHING = 4;

    private Pool pool;
    private long rules;
    private Instant changed;
    private boolean removed;
    private @Nullable Integer hold;
    private String holdReason = "";
    private int desired;
    private @Nullable SizeDecision decided;
    private @Nullable SizeDecision recommended;
    private int failures;
    private @Nullable Instant startAfter;
    private String failure = "";
    private int lapses;
    private @Nullable Instant growAfter;
    private String lapse = "";
    private long loadMillis;
    private final SequencedMap<Integer, ReplicaStatus> replicas = new TreeMap<>();
    private final ArrayDeque<SizeDecision> recent = new ArrayDeque<>();
    private @Nullable ServingChoice choice;
    private final ArrayDeque<Instant> interruptions = new ArrayDeque<>();
    private long activations;
    private final ReplicaTemplates templates;
    private LoadHistory load = new LoadHistory();
    private ScaleLimiter limiter = new ScaleLimiter();

    PoolEntry(Pool pool, Instant at) {
        this.pool = pool;
        this.rules = PoolDigest.of(pool);
        this.changed = at;
        this.templates = new ReplicaTemplates(pool);
    }

    static PoolEntry restored(PoolImage image) {
        var entry = new PoolEntry(image.pool(), image.changed());
        entry.removed = image.removed();
        entry.hold = image.hold();
        entry.holdReason = image.holdReason();
        entry.desired = image.desired();
        entry.decided = image.decided();
        entry.recommended = image.recommended();
        entry.failures = image.failures();
        entry.startAfter = image.startAfter();
        entry.failure = image.failure();
        entry.lapses = image.lapses();
        entry.growAfter = image.growAfter();
        entry.lapse = image.lapse();
        entry.loadMillis = image.loadMillis();
        image.replicas().forEach(one -> entry.replicas.put(one.number(), one));
        entry.recent.addAll(image.recent());
        entry.choice = image.choice();
        entry.interruptions.addAll(image.interruptions());
        entry.activations = image.activations();
        entry.load = LoadHistory.restored(image.load());
        entry.limiter = ScaleLimiter.restored(image.limiter());
        entry.templates.restore(image.template(), image.earlier());
        return entry;
    }

    public PoolImage image() {
        return new PoolImage(
                pool,
                changed,
                removed,
                hold,
                holdReason,
                desired,
                decided,
                recommended,
                failures,
                startAfter,
                failure,
                lapses,
                growAfter,
                lapse,
                loadMillis,
                replicas(),
                recent(),
                choice,
                new ArrayList<>(interruptions),
                activations,
                load.image(),
                limiter.image(),
                templates.present(),
                templates.earlier());
    }

    void put(Pool next, Instant at) {
        choice = next.model().equals(pool.model()) ? choice : null;
        pool = next;
        rules = PoolDigest.of(next);
        templates.put(next, replicas.values());
        changed = at;
        removed = false;
        failures = 0;
        startAfter = null;
        growAfter = null;
    }

    /// A new pool with the name of this one, which was removed. It has the replicas that have not
    /// ended yet, with their templates, and nothing else.
    PoolEntry followedBy(Pool next, Instant at) {
        var entry = new PoolEntry(next, at);
        entry.desired = desired;
        entry.replicas.putAll(replicas);
        entry.templates.restore(templates.present(), templates.earlier());
        entry.templates.put(next, replicas.values());
        return entry;
    }

    void remove(Instant at) {
        removed = true;
        changed = at;
    }

    void held(Event.PoolHeld e) {
        hold = e.replicas();
        holdReason = e.reason();
        changed = e.at();
        growAfter = null;
    }

    /// Counts the report, and notes which replicas take requests.
    void loaded(Event.PoolLoadChanged e) {
        if (!load.isNew(e.at(), e.load())) {
            return;
        }
        load.add(e.at(), e.load());
        if (e.load().held() > 0 && replicas.isEmpty()) {
            changed = e.at();
        }
        Map<JobId, ReplicaLoad> fresh =
                load.replicasSince(e.at().minus(pool.scaling().staleAfter()));
        for (ReplicaStatus each : replicas()) {
            ReplicaLoad seen = fresh.get(each.job());
            if (seen != null && each.placed() != null) {
                noteReady(each, seen.ready(), e.at());
            }
        }
    }

    /// A replica without a port takes requests by itself, so it is ready when it runs. Where a
    /// source tells of the pool's replicas, only the source can make one ready.
    void running(ReplicaStatus each, Instant at) {
        boolean told = !load.replicasSince(at.minus(pool.scaling().staleAfter())).isEmpty();
        if (pool.serving().port() == 0 && each.ready() == null && !told) {
            replicas.put(each.number(), each.running(at));
        }
    }

    private void noteReady(ReplicaStatus each, boolean isReady, Instant at) {
        if (isReady && (each.ready() == null || !each.served())) {
            learnLoadTime(each, at);
            replicas.put(each.number(), each.ready(at));
        } else if (!isReady && each.ready() != null) {
            replicas.put(each.number(), each.ready(null));
        } else if (isProof(each, at)) {
            proven();
        }
    }

    /// A replica has shown that replicas can start.
    void proven() {
        failures = 0;
        failure = "";
        startAfter = null;
    }

    /// Whether the replica became ready after the last failure and has served for a while since.
    private boolean isProof(ReplicaStatus each, Instant at) {
        Instant ready = each.ready();
        return startAfter != null
                && ready != null
                && !ready.isBefore(startAfter)
                && !ready.plus(PROVEN).isAfter(at);
    }

    private void learnLoadTime(ReplicaStatus each, Instant at) {
        Instant placed = each.placed();
        if (!each.served() && placed != null) {
            long took = Math.max(1, Duration.between(placed, at).toMillis());
            loadMillis = loadMillis == 0 ? took : loadMillis + (took - loadMillis) / SMOOTHING;
        }
    }

    void recommended(Event.PoolRecommended e) {
        // The earlier recommendation held until now.
        limiter.recommended(e.at().minus(MOMENT), lastTarget());
        limiter.recommended(e.at(), e.target());
        int warm = warm().size();
        int served = needed();
        recommended = new SizeDecision(e.at(), e.replicas(), e.target(), e.rule(), e.reason());
        activations += Math.min(warm, Math.max(0, needed() - served));
    }

    void scaled(Event.PoolScaled e) {
        desired = e.to();
        limiter.changed(e.at(), e.from(), e.to());
        decided = new SizeDecision(e.at(), e.from(), e.to(), e.rule(), e.reason());
        recent.addLast(decided);
        if (recent.size() > RECENT) {
            recent.removeFirst();
        }
    }

    void chosen(Event.PoolChoice e) {
        choice = e.choice();
    }

    /// A replica lost its spot capacity.
    void interrupted(Instant at) {
        interruptions.addLast(at);
        if (interruptions.size() > CostRules.MOST_INTERRUPTIONS) {
            interruptions.removeFirst();
        }
    }

    void lapsed(Event.PoolLapsed e) {
        lapses++;
        growAfter = e.retryAt();
        lapse = e.reason();
    }

    void submitted(int number, JobId job) {
        replicas.put(number, ReplicaStatus.submitted(number, job, templates.present().number()));
    }

    void placed(int number, Instant at) {
        replicas.computeIfPresent(number, (each, status) -> status.placed(at));
        lapses = 0;
        growAfter = null;
        lapse = "";
    }

    void requeued(int number) {
        replicas.computeIfPresent(number, (each, status) -> status.requeued());
    }

    void draining(int number, Instant at) {
        replicas.computeIfPresent(number, (each, status) -> status.draining(at));
    }

    /// A replica that ended by itself is replaced, but not at once each time.
    void ended(int number, Outcome outcome, Instant at) {
        ReplicaStatus status = replicas.remove(number);
        templates.forget(replicas.values());
        if (status == null
                || status.draining() != null
                || outcome.result() == Outcome.Result.CANCELLED) {
            return;
        }
        failures++;
        failure = outcome.reason();
        Duration backoff = FIRST_BACKOFF.multipliedBy(1L << Math.min(failures - 1, 5));
        startAfter = at.plus(backoff.compareTo(LONGEST_BACKOFF) < 0 ? backoff : LONGEST_BACKOFF);
    }

    boolean hasDraining() {
        for (ReplicaStatus status : replicas.values()) {
            if (status.draining() != null) {
                return true;
            }
        }
        return false;
    }

    boolean isOver() {
        return removed && replicas.isEmpty();
    }

    public PoolId id() {
        return pool.id();
    }

    public Pool pool() {
        return pool;
    }

    /// When the pool was put, held or removed, or requests came while it had no replica.
    public Instant changed() {
        return changed;
    }

    /// Whether it is forgotten when its last replica has ended.
    public boolean removed() {
        return removed;
    }

    /// The size at which it is held; null when the rules decide.
    public @Nullable Integer hold() {
        return hold;
    }

    public String holdReason() {
        return holdReason;
    }

    /// The size that was decided last.
    public int desired() {
        return desired;
    }

    /// The last change of the size; null before the first.
    public @Nullable SizeDecision decided() {
        return decided;
    }

    /// What its law recommended when that last changed: `from` is the law's own size, `to` the size
    /// after warm replicas, schedules and bounds.
    public @Nullable SizeDecision recommended() {
        return recommended;
    }

    /// How many replicas the load needs: what the law recommended last, and never more than the
    /// pool should have. Schedules and warm replicas are beyond it.
    public int needed() {
        return recommended == null || hold != null
                ? desired
                : Math.min(recommended.from(), desired);
    }

    /// The replicas that are kept warm: ready beyond what the load needs, at most as many as the
    /// pool wants warm, the youngest ones. All others that are ready serve.
    public Set<JobId> warm() {
        return WarmReplicas.among(replicas.values(), needed(), removed ? 0 : pool.warm());
    }

    /// How many warm replicas began to serve because the load needed more.
    public long activations() {
        return activations;
    }

    /// The size that was recommended until now. Before the first recommendation it is the present
    /// size, so that a pool does not shrink at once by the first figures of its load.
    public int lastTarget() {
        return recommended == null ? desired : recommended.to();
    }

    /// Replicas that ended by themselves since one served for a while.
    public int failures() {
        return failures;
    }

    /// No replica is started before this time; null when one may be.
    public @Nullable Instant startAfter() {
        return startAfter;
    }

    /// Why the last replica ended by itself.
    public String failure() {
        return failure;
    }

    /// Scale-ups in a row that found no capacity.
    public int lapses() {
        return lapses;
    }

    /// The pool does not grow before this time; null when it may.
    public @Nullable Instant growAfter() {
        return growAfter;
    }

    public String lapse() {
        return lapse;
    }

    /// How long a new replica is expected to take until it is ready.
    public Duration loadTime() {
        return loadMillis == 0 ? pool.serving().loadTime() : Duration.ofMillis(loadMillis);
    }

    /// By number.
    public List<ReplicaStatus> replicas() {
        return new ArrayList<>(replicas.values());
    }

    public @Nullable ReplicaStatus replica(int number) {
        return replicas.get(number);
    }

    /// Whether the replica has the template that the pool has now.
    public boolean isUpdated(ReplicaStatus status) {
        return status.template() == templates.present().number();
    }

    /// Whether a replica with an earlier template listens on the port.
    public boolean isEarlierPort(int port) {
        return templates.isEarlierPort(port, replicas);
    }

    /// The last changes of its size, the oldest first.
    public List<SizeDecision> recent() {
        return new ArrayList<>(recent);
    }

    /// How the next replicas are made.
    public ServingChoice choice() {
        return choice == null ? ServingChoice.initial(pool) : choice;
    }

    /// How many replicas lost their spot capacity since an instant, as far as it is remembered.
    public int interruptionsSince(Instant since) {
        int count = 0;
        for (Instant each : interruptions) {
            count += each.isBefore(since) ? 0 : 1;
        }
        return count;
    }

    public LoadHistory load() {
        return load;
    }

    public ScaleLimiter limiter() {
        return limiter;
    }

    /// @param ledger the version of the ledger's rules
    long digest(int ledger) {
        return ledger == 0 ? figures() : Digest.mix(figures(), everythingElse());
    }

    /// What decisions read beside the figures. The oldest journals were recorded without it.
    private long everythingElse() {
        long hash = Digest.mix(rules, Instants.micros(changed));
        hash = Digest.mix(hash, PoolDigest.of(limiter.image()));
        hash = Digest.mix(hash, choice == null ? -1 : Instants.micros(choice.since()));
        for (Instant each : interruptions) {
            hash = Digest.mix(hash, Instants.micros(each));
        }
        long template = templates.digest(replicas.values());
        hash = template == 0 ? hash : Digest.mix(hash, template);
        return recommended == null
                ? hash
                : Digest.mix(Digest.mix(hash, recommended.from()), Digest.of(recommended.rule()));
    }

    private long figures() {
        long hash = Digest.mix(Digest.of(pool.id().name()), desired);
        hash = Digest.mix(hash, hold == null ? -1 : hold);
        hash = Digest.mix(hash, removed ? 1 : 0);
        hash = Digest.mix(hash, failures * 1_000L + lapses);
        hash = Digest.mix(hash, startAfter == null ? -1 : Instants.micros(startAfter));
        hash = Digest.mix(hash, growAfter == null ? -1 : Instants.micros(growAfter));
        hash = Digest.mix(hash, loadMillis + interruptions.size());
        hash =
                choice == null
                        ? hash
                        : Digest.mix(hash, Digest.of(choice.model()) + (choice.spot() ? 1 : 0));
        hash = Digest.mix(hash, recommended == null ? -1 : recommended.to());
        for (ReplicaStatus status : replicas.values()) {
            hash = Digest.mix(hash, status.digest());
        }
        return Digest.mix(hash, load.digest());
    }
}
