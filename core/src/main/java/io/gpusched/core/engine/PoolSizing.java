package io.gpusched.core.engine;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.place.NodeSearch;
import io.gpusched.core.policy.Plugins;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.ScheduledSize;
import io.gpusched.core.scale.Limited;
import io.gpusched.core.scale.PoolSignals;
import io.gpusched.core.scale.Recommendation;
import io.gpusched.core.scale.ScaleLimiter;
import io.gpusched.core.scale.Scaler;
import io.gpusched.core.scale.Schedules;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolCounts;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Decides how large a pool should be. It is a function of the ledger and the time, so that an
/// explanation repeats exactly what the engine decided.
///
///     the law ─▶ zero ─▶ warm ─▶ schedules ─▶ cost ─▶ min, max ─▶ steps and windows ─▶ capacity
///
/// What comes later has the last word; `min` is always reached at once.
public final class PoolSizing {
    /// Replicas that find no capacity for so long are withdrawn.
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Duration FIRST_RETRY = Duration.ofSeconds(30);
    private static final int MOST_DOUBLINGS = 4;

    /// Room for more replicas than this is not counted.
    private static final int MOST_ROOM = 16;

    /// Only the law `static` needs no report of load.
    private static final String STATIC = "static";

    private final ClusterState state;
    private final ReplicaRoom room;
    private final Plugins plugins;
    private final Instant now;

    PoolSizing(
            ClusterState state,
            NodeSearch nodeSearch,
            Policy policy,
            Plugins plugins,
            Instant now) {
        this.state = state;
        this.plugins = plugins;
        this.room = new ReplicaRoom(state, nodeSearch, policy, now);
        this.now = now;
    }

    /// The sizes that the engine would decide now.
    public static PoolSizing of(Engine engine, Instant now) {
        return new PoolSizing(
                engine.state(),
                engine.nodeSearch(),
                engine.policy(),
                engine.settings().policy().plugins(),
                now);
    }

    public PoolDecision decide(PoolEntry entry) {
        Integer hold = entry.hold();
        if (entry.removed()) {
            return fixed(0, "removed", "the pool is removed");
        }
        if (hold != null) {
            String why = entry.holdReason().isEmpty() ? "" : ": " + entry.holdReason();
            return fixed(hold, "hold", "an operator holds the pool at " + hold + why);
        }
        return new Sizing(entry).decide();
    }

    /// Whether so many more replicas could be placed now.
    boolean fits(JobSpec spec, int count) {
        return room.count(spec, count) >= count;
    }

    /// Whether one more replica of the pool could be placed now.
    public boolean hasRoom(PoolEntry entry) {
        return fits(ReplicaSpecs.of(entry.pool(), 0, entry.choice().model(), false), 1);
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
            capacity();
            if (size < pool.min()) {
                to(pool.min(), "min", "min is " + pool.min());
            }
            return new PoolDecision(
                    recommendation, target, size, rule, reason, steps, whyNotMore, retryAt);
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
            Scaler law = plugins.law(pool.scaling().law());
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
            int more = Math.min(MOST_ROOM, pool.max() - counts.active());
            JobSpec one = ReplicaSpecs.of(pool, 0, pool.model(), false);
            boolean onDemand = pool.cost().spotPercent() > 0 && !entry.choice().spot();
            int placeable =
                    room.count(
                            onDemand ? ReplicaSpecs.onDemand(one, state.nodePrices()) : one, more);
            return new PoolSignals(
                    now,
                    pool,
                    current,
                    counts.ready(),
                    counts.starting(),
                    counts.waiting(),
                    entry.loadTime(),
                    placeable,
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

        /// Replicas beyond `min` start only in clean hours and where power is clean enough.
        private void carbon() {
            int kept = Math.max(current, pool.min());
            if (size <= kept) {
                return;
            }
            int from = pool.carbon().cleanFromMinute();
            int minute = Math.floorMod(Math.floorDiv(now.getEpochSecond(), 60L), 1_440);
            if (from >= 0 && Math.floorMod(minute - from, 1_440) >= pool.carbon().cleanMinutes()) {
                to(kept, "carbon", "the pool grows only in its clean hours");
            }
            int most = pool.carbon().maxGramsPerKwh();
            var markets = state.nodePrices().all();
            if (most > 0
                    && !markets.isEmpty()
                    && markets.stream().allMatch(market -> market.gramsPerKwh() > most)) {
                to(kept, "carbon", "all power has more than " + most + " g CO2 per kWh now");
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

        /// A pool does not grow while its replicas wait for capacity or fail. It may always shrink.
        private void capacity() {
            String blocked = size > current ? whyNotGrow() : null;
            if (blocked != null) {
                to(Math.max(current, pool.min()), "capacity", blocked);
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
            return entry.failures() > 0 && (waits || counts.starting() > 0)
                    ? "replicas fail: " + entry.failure() + " (" + entry.failures() + " so far)"
                    : null;
        }

        /// Withdraws replicas that found no capacity for too long, except those for which others
        /// are being stopped.
        private void lapse() {
            int late = 0;
            for (ReplicaStatus status : entry.replicas()) {
                Job job = state.job(status.job());
                if (job != null
                        && status.state(job) == ReplicaStatus.State.WAITING
                        && job.phase() instanceof Phase.Waiting waiting
                        && !waiting.since().plus(PATIENCE).isAfter(now)
                        && !hasRoom(job)) {
                    late++;
                }
            }
            int surge = Math.max(0, counts.active() - current);
            late = Math.max(0, late - surge);
            int kept = Math.max(pool.min(), current - late);
            if (late > 0 && kept < current) {
                int doublings = Math.min(entry.lapses(), MOST_DOUBLINGS);
                retryAt = now.plus(FIRST_RETRY.multipliedBy(1L << doublings));
                to(
                        kept,
                        "lapsed",
                        String.format(
                                Locale.ROOT,
                                "%s found no capacity for %d s",
                                Plurals.of(current - kept, "replica"),
                                PATIENCE.toSeconds()));
            }
        }

        private boolean hasRoom(Job job) {
            return state.claims().stream()
                    .anyMatch(claim -> claim.kind() == Claim.Kind.ROOM && claim.isFor(job.id()));
        }
    }
}
