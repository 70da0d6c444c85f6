package io.gpusched.core.engine;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.place.NodeSearch;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.ScheduledSize;
import io.gpusched.core.scale.ComingCapacity;
import io.gpusched.core.scale.Limited;
import io.gpusched.core.scale.PoolSignals;
import io.gpusched.core.scale.Recommendation;
import io.gpusched.core.scale.ScaleLimiter;
import io.gpusched.core.scale.Scaler;
import io.gpusched.core.scale.Schedules;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolCounts;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.StartProbes;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// Decides how large a pool should be. It is a function of the ledger and the time, so that an
/// explanation repeats exactly what the engine decided.
///
///     the law ─▶ zero ─▶ warm ─▶ schedules ─▶ cost ─▶ carbon ─▶ min, max ─▶ steps and windows
///     ─▶ capacity
///
/// What comes later has the last word; `min` is always reached at once.
public final class PoolSizing {
    private static final Duration FIRST_RETRY = Duration.ofSeconds(30);
    private static final int MOST_DOUBLINGS = 4;

    /// Room for more replicas than this is not counted.
    private static final int MOST_ROOM = 16;

    /// The rules that keep a pool small for want of capacity.
    private static final String CAPACITY = "capacity";

    private static final String LAPSED = "lapsed";

    /// Only the law `static` needs no report of load.
    private static final String STATIC = "static";

    private final ClusterState state;
    private final ReplicaRoom room;
    private final PoolCarbon poolCarbon;
    private final StartLimits limits;
    private final EngineSettings settings;
    private final Instant now;

    PoolSizing(
            ClusterState state,
            NodeSearch nodeSearch,
            Policy policy,
            EngineSettings settings,
            Instant now) {
        this.state = state;
        this.settings = settings;
        this.limits = new StartLimits(state, settings);
        this.room = new ReplicaRoom(state, nodeSearch, policy, now);
        this.poolCarbon = new PoolCarbon(state, nodeSearch, now);
        this.now = now;
    }

    /// The sizes that the engine would decide now.
    public static PoolSizing of(Engine engine, Instant now) {
        return new PoolSizing(
                engine.state(), engine.nodeSearch(), engine.policy(), engine.settings(), now);
    }

    public PoolDecision decide(PoolEntry entry) {
        Integer hold = entry.hold();
        if (entry.removed()) {
            return fixed(0, "removed", "the pool is removed");
        }
        if (hold != null) {
            return held(entry, hold);
        }
        return new Sizing(entry).decide();
    }

    /// How many more replicas could be placed now.
    ///
    /// @param most it counts no further
    int room(JobSpec spec, int most) {
        return room.count(spec, most);
    }

    /// How many of these equal jobs could be placed now if those before them had their places.
    ///
    /// @param most of each it counts no further
    int[] rooms(List<JobSpec> specs, int[] most) {
        return room.counts(specs, most);
    }

    private PoolDecision held(PoolEntry entry, int hold) {
        int max = entry.pool().max();
        String why = entry.holdReason().isEmpty() ? "" : ": " + entry.holdReason();
        String most = hold > max ? ", but max is " + max : "";
        String reason = "an operator holds the pool at " + hold + most + why;
        int size = Math.min(hold, max);
        boolean lacks = size > state.pools().counts(entry).active();
        return fixed(size, "hold", reason).withWhyNotMore(lacks ? limits.whyNot(entry) : null);
    }

    /// How many more replicas of the pool could be placed now, without preemption.
    ///
    /// @param most it counts no further
    public int room(PoolEntry entry, int most) {
        return room.count(replica(entry), most);
    }

    private JobSpec replica(PoolEntry entry) {
        Pool pool = entry.pool();
        String model = entry.choice().model();
        JobSpec one = ReplicaSpecs.of(pool, 0, model, settings.gpuMemoryPerGpu());
        boolean onDemand = pool.cost().spotPercent() > 0 && !entry.choice().spot();
        return onDemand ? ReplicaSpecs.onDemand(one, state.nodePrices()) : one;
    }

    /// When so many missing replicas can be placed, of which some may wait already. One that has a
    /// reservation stands for all, since it may use what is reserved for it.
    private ComingCapacity coming(PoolEntry entry, int missing) {
        int most = Math.min(MOST_ROOM, missing);
        Job probe = Job.submitted(state.nextJob(), replica(entry), now);
        var reserved = new ArrayList<ComingCapacity.LaterPlace>();
        for (Claim claim : state.claims()) {
            Job waiting = waiting(entry, claim);
            if (waiting != null && claim.kind() == Claim.Kind.ROOM) {
                return new ComingCapacity(most, 0, true, List.of());
            }
            if (waiting != null && probe.id().equals(state.nextJob())) {
                probe = waiting;
            } else if (waiting != null) {
                reserved.add(new ComingCapacity.LaterPlace(claim.from(), null));
            }
        }
        boolean warm = state.pools().hasNeeded(entry);
        ComingCapacity rest = room.coming(probe, Math.max(0, most - reserved.size()), warm);
        reserved.addAll(rest.later());
        reserved.sort(Comparator.comparing(ComingCapacity.LaterPlace::at));
        return new ComingCapacity(most, rest.now(), rest.byPreemption(), reserved);
    }

    /// The replica of the pool that waits and holds the claim; null when none does.
    private @Nullable Job waiting(PoolEntry entry, Claim claim) {
        Job job = claim.claimHolder() instanceof ClaimHolder.OfJob of ? state.job(of.job()) : null;
        return job != null && job.waiting() && entry.equals(state.pools().of(job)) ? job : null;
    }

    /// How many of the replicas that the pool lacks can be placed, and when the next one can, for
    /// people; empty where it lacks none.
    public String capacity(PoolEntry entry, PoolDecision decision) {
        boolean held = decision.rule().equals(CAPACITY) || decision.rule().equals(LAPSED);
        int wanted = held ? decision.target() : decision.desired();
        int missing = Math.max(entry.desired(), wanted) - state.pools().counts(entry).placed();
        if (missing <= 0) {
            return "";
        }
        String all =
                missing > MOST_ROOM
                        ? missing + " replicas are missing; of the first " + MOST_ROOM + ": "
                        : "";
        return all + coming(entry, missing).text();
    }

    /// The regions in which replicas of the pool should run, the best first.
    List<String> regions(Pool pool) {
        return poolCarbon.regions(pool);
    }

    private static PoolDecision fixed(int size, String rule, String reason) {
        return new PoolDecision(null, size, size, rule, reason, List.of(reason), reason, null);
    }

    /// Whether the pool's law needs reports of load and there is no fresh one.
    public boolean isStale(PoolEntry entry) {
        LoadHistory.Sample newest = entry.load().newest();
        return !entry.pool().scaling().law().equals(STATIC)
                && (newest == null
                        || newest.at().plus(entry.pool().scaling().staleAfter()).isBefore(now));
    }

    /// The way of one pool to its size.
    private final class Sizing {
        private final PoolEntry entry;
        private final Pool pool;
        private final PoolCounts counts;
        private final int current;
        private final List<String> steps = new ArrayList<>();
        private int size;
        private String rule = "";
        private String reason = "";
        private String whyNotMore = "the law recommends no more";
        private @Nullable Instant retryAt;

        Sizing(PoolEntry entry) {
            this.entry = entry;
            this.pool = entry.pool();
            this.counts = state.pools().counts(entry);
            this.current = entry.desired();
            this.size = current;
        }

        PoolDecision decide() {
            Recommendation recommendation = isStale(entry) ? null : recommend();
            if (recommendation == null) {
                stale();
            } else {
                fromAndToZero();
                warm();
                schedules();
                cost();
                carbon();
            }
            bounds();
            int target = size;
            if (recommendation != null) {
                limit();
            }
            starts();
            capacity();
            if (size < pool.min()) {
                to(pool.min(), "min", "min is " + pool.min());
            }
            var decision =
                    new PoolDecision(
                            recommendation, target, size, rule, reason, steps, whyNotMore, retryAt);
            boolean lacks = size > counts.active();
            return decision.withWhyNotMore(lacks ? limits.whyNot(entry) : null);
        }

        private void to(int next, String by, String why) {
            if (next < size) {
                whyNotMore = why;
            }
            size = next;
            rule = by;
            reason = why;
            steps.add(why);
        }

        private Recommendation recommend() {
            Scaler law = settings.policy().plugins().law(pool.scaling().law());
            Recommendation found =
                    law == null
                            ? new Recommendation(
                                    current, "unknown-law", "no law of this name is known")
                            : law.recommend(signals());
            to(
                    found.replicas(),
                    found.rule(),
                    String.format(
                            Locale.ROOT,
                            "the law %s recommends %d: %s",
                            pool.scaling().law(),
                            found.replicas(),
                            found.reason()));
            return found;
        }

        private PoolSignals signals() {
            // A law that keeps the size as it is must not keep the warm replicas too: they would be
            // added to it again.
            int ofLaw = pool.warm() == 0 ? current : Math.min(current, entry.needed());
            return new PoolSignals(
                    now,
                    pool,
                    ofLaw,
                    counts.ready(),
                    counts.starting(),
                    counts.waiting(),
                    entry.loadTime(),
                    missing -> coming(entry, missing),
                    entry.load());
        }

        private void stale() {
            LoadHistory.Sample newest = entry.load().newest();
            String since =
                    newest == null ? "was reported yet" : "was reported since " + newest.at();
            to(
                    current,
                    "stale",
                    String.format(Locale.ROOT, "the size stays %d: no load %s", current, since));
        }

        /// The last replica stays until the pool was idle for a while, and a burst on an empty pool
        /// starts replicas once.
        private void fromAndToZero() {
            Instant last = entry.load().lastRequest();
            Instant idleFrom = last == null ? entry.changed() : last;
            Instant zeroAt = idleFrom.plus(pool.scaling().cooldown());
            if (size <= 0 && current > 0 && zeroAt.isAfter(now)) {
                to(1, "cool-down", "the last replica stays until " + zeroAt + " (cool-down)");
            }
            var fresh = entry.load().since(now.minus(pool.scaling().staleAfter()));
            boolean wanted = fresh.held() > 0 || fresh.queueDepth() > 0;
            if (size <= 0 && current == 0 && wanted) {
                to(1, "from-zero", "requests wait and the pool has no replica");
            }
            boolean loading = counts.ready() == 0 && counts.active() > 0;
            if (pool.min() == 0 && loading && size > current && current > 0) {
                to(current, "from-zero", "the first replica still loads, one start per burst");
            }
        }

        private void warm() {
            if (pool.warm() > 0) {
                to(
                        size + pool.warm(),
                        "warm",
                        String.format(
                                Locale.ROOT,
                                "%d more are kept warm (%d %% of max)",
                                pool.warm(),
                                pool.warmPercent()));
            }
        }

        private void schedules() {
            ScheduledSize each = Schedules.at(pool.scaling().schedules(), now, entry.loadTime());
            if (each != null && each.replicas() > size) {
                to(
                        each.replicas(),
                        "schedule",
                        "the schedule " + each.name() + " wants " + each.replicas() + " now");
            }
        }

        private void cost() {
            long most = pool.cost().maxMicroDollarsPerHour();
            long each = most == 0 ? 0 : new PoolCost(state).expected(entry);
            if (each > 0 && size > most / each && size > pool.min()) {
                int affordable = Math.max(pool.min(), (int) (most / each));
                to(
                        affordable,
                        "cost",
                        String.format(
                                Locale.ROOT,
                                "%d replicas cost at most $%.2f per hour, the limit is $%.2f",
                                affordable,
                                affordable * each / 1e6,
                                most / 1e6));
            }
        }

        /// Replicas beyond `min` start only in clean hours and where power is clean enough, unless
        /// the pool misses its objectives.
        private void carbon() {
            int kept = Math.max(current, pool.min());
            String dirty = size > kept ? poolCarbon.whyNotGrow(pool) : null;
            if (dirty == null) {
                return;
            }
            String missed = poolCarbon.missedObjective(entry, counts.ready());
            if (missed == null) {
                to(kept, "carbon", dirty);
            } else {
                steps.add("carbon does not hold the pool back, because it is urgent: " + missed);
            }
        }

        private void bounds() {
            if (size > pool.max()) {
                to(pool.max(), "max", "max is " + pool.max());
            } else if (size < pool.min()) {
                to(pool.min(), "min", "min is " + pool.min());
            }
        }

        private void limit() {
            // Only changes of the recommendation are recorded: the last one held until now.
            ScaleLimiter limiter = ScaleLimiter.restored(entry.limiter().image());
            limiter.recommended(now.minus(PoolEntry.MOMENT), entry.lastTarget());
            Limited limited = limiter.limit(now, pool, current, size);
            if (limited.replicas() != size) {
                to(limited.replicas(), "behavior", limited.reason());
            }
        }

        /// A pool does not grow while none of its replicas may be submitted.
        private void starts() {
            String refused = size > current ? limits.whyNot(entry) : null;
            if (refused != null) {
                to(Math.max(current, pool.min()), "no-start", "no replica starts: " + refused);
            }
        }

        /// A pool does not grow while its replicas wait for capacity or fail. It may always shrink.
        private void capacity() {
            String blocked = size > current ? whyNotGrow() : null;
            if (blocked != null) {
                to(Math.max(current, pool.min()), CAPACITY, blocked);
            }
            if (size >= current && current > pool.min()) {
                lapse();
            }
        }

        private @Nullable String whyNotGrow() {
            Instant growAfter = entry.growAfter();
            if (counts.waiting() > 0) {
                return String.format(
                        Locale.ROOT,
                        "%s already %s for capacity",
                        Plurals.of(counts.waiting(), "replica"),
                        counts.waiting() == 1 ? "waits" : "wait");
            }
            if (growAfter != null && growAfter.isAfter(now)) {
                return entry.lapse() + "; the pool grows again from " + growAfter;
            }
            Instant startAfter = entry.startAfter();
            boolean waits = startAfter != null && startAfter.isAfter(now);
            StartProbes probes = state.pools().probes();
            int failures = probes.failures(entry, now);
            return failures > 0 && (waits || probes.isRunning(entry))
                    ? "replicas fail: " + entry.failure() + " (" + failures + " so far)"
                    : null;
        }

        /// Withdraws replicas that found no capacity for too long, except those for which others
        /// are being stopped.
        private void lapse() {
            int surge = Math.max(0, counts.active() - current);
            int late = Math.max(0, new LateReplicas(state, now).of(entry).size() - surge);
            int kept = Math.max(pool.min(), current - late);
            if (late > 0 && kept < current) {
                int doublings = Math.min(entry.lapses(), MOST_DOUBLINGS);
                retryAt = now.plus(FIRST_RETRY.multipliedBy(1L << doublings));
                to(
                        kept,
                        LAPSED,
                        String.format(
                                Locale.ROOT,
                                "%s found no capacity for %d s",
                                Plurals.of(current - kept, "replica"),
                                LateReplicas.PATIENCE.toSeconds()));
            }
        }
    }
}
