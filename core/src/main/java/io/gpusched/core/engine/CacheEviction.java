package io.gpusched.core.engine;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.pool.CacheState;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.state.CachedModel;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Chooses which models a node removes from its full cache. It is a function of the ledger and the
/// time.
///
///     wanted model of 40 GB, cache of 100 GB
///       a  50 GB, eviction never            stays
///       b  30 GB, used until an hour ago    second
///       c  20 GB, lower cache priority      first: 30 GB are free then, so b leaves too
final class CacheEviction {
    private static final long GIGABYTE = 1_000_000_000L;

    /// No model counts for more, so that sums do not overflow.
    private static final long MOST = 1L << 50;

    private final ClusterState state;
    private final Instant now;

    CacheEviction(ClusterState state, Instant now) {
        this.state = state;
        this.now = now;
    }

    /// Whether the node can be told to load models.
    static boolean hasCache(Node node) {
        return capacity(node) > 0;
    }

    /// How many bytes the node's cache may hold; 0 without a cache.
    private static long capacity(Node node) {
        String gigabytes = node.labels().value(ModelSpec.CACHE_LABEL);
        if (!gigabytes.matches("[0-9]{1,9}")) {
            return 0;
        }
        long count = Long.parseLong(gigabytes);
        return count == 0 ? Long.MAX_VALUE / 2 : count * GIGABYTE;
    }

    /// The models that the node must remove before it can load the model; null where it cannot even
    /// then.
    @Nullable List<CachedModel> victims(NodeView node, ModelSpec model) {
        long free = capacity(node.facts());
        var candidates = new ArrayList<CachedModel>();
        for (CachedModel each : state.models().on(node.facts().id())) {
            if (!each.model().equals(model.name())) {
                free -= takes(each);
                if (takes(each) > 0 && mayLeave(each, node, model)) {
                    candidates.add(each);
                }
            }
        }
        candidates.sort(
                Comparator.comparing(CachedModel::wanted)
                        .thenComparingInt(each -> priority(each.model()))
                        .thenComparing(CacheEviction::lastUsed)
                        .thenComparing(CachedModel::model));
        var victims = new ArrayList<CachedModel>();
        for (CachedModel each : candidates) {
            if (free < model.sizeBytes()) {
                free += takes(each);
                victims.add(each);
            }
        }
        return free < model.sizeBytes() ? null : victims;
    }

    /// What happens to the copies of a model that is no longer declared: idle ones are removed.
    List<Event> ofRemoved(String model) {
        var events = new ArrayList<Event>();
        for (CachedModel each : state.models().nodes(model).values()) {
            NodeView node = state.nodes().find(each.node());
            if (node != null && (each.wanted() || each.reported())) {
                boolean evict = each.reported() && !isUsed(model, node);
                events.add(unwanted(each.node(), model, evict, "the model was removed"));
            }
        }
        return events;
    }

    Event unwanted(NodeId node, String model, boolean evict, String why) {
        return new Event.ModelUnwanted(now, node, model, evict, why);
    }

    private long takes(CachedModel each) {
        if (each.state() == CacheState.EVICTING || !(each.wanted() || each.reported())) {
            return 0;
        }
        ModelSpec spec = state.models().find(each.model());
        return Math.min(MOST, Math.max(each.bytes(), spec == null ? 0 : spec.sizeBytes()));
    }

    private boolean mayLeave(CachedModel each, NodeView node, ModelSpec other) {
        ModelSpec spec = state.models().find(each.model());
        if (isUsed(each.model(), node)) {
            return false;
        }
        if (spec == null) {
            return true;
        }
        Instant used = each.lastUsed();
        boolean pinned = used != null && used.plus(spec.pin()).isAfter(now);
        boolean lower = spec.cachePriority() < other.cachePriority();
        return !pinned
                && (lower || !each.wanted())
                && switch (spec.eviction()) {
                    case NEVER -> false;
                    case IDLE -> true;
                    case LOW_PRIORITY -> lower;
                };
    }

    /// Whether a job on the node uses the model.
    private boolean isUsed(String model, NodeView node) {
        for (JobId id : node.jobs()) {
            Job job = state.job(id);
            if (job != null && job.spec().labels().value(ModelSpec.LABEL).equals(model)) {
                return true;
            }
        }
        return false;
    }

    private int priority(String model) {
        ModelSpec spec = state.models().find(model);
        return spec == null ? Integer.MIN_VALUE : spec.cachePriority();
    }

    private static Instant lastUsed(CachedModel each) {
        return each.lastUsed() == null ? Instant.EPOCH : each.lastUsed();
    }
}
