package io.gpusched.sim;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.ModelOrder;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.pool.CacheState;
import io.gpusched.core.pool.HeldModel;
import io.gpusched.core.pool.ModelSpec;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The model cache of a simulated node. Like the real one it loads one model after the other, keeps
/// complete ones over restarts, and removes what it is told to remove. Loading takes as long as the
/// size needs at a fixed rate.
final class SimulatedModelCache {
    private static final long BYTES_PER_SECOND = 1_000_000_000L;
    private static final long USUAL_BYTES = 20_000_000_000L;

    private final NodeId node;
    private final Map<String, Long> complete = new TreeMap<>();
    private final Set<ModelOrder> waiting = new LinkedHashSet<>();
    private @Nullable ModelOrder loading;

    /// Counts loadings, so that the planned end of one does not end another.
    private int number;

    SimulatedModelCache(NodeId node) {
        this.node = node;
    }

    static boolean isOn(Node node) {
        return !node.labels().value(ModelSpec.CACHE_LABEL).isEmpty();
    }

    /// Follows these orders from now on.
    void follow(List<ModelOrder> orders) {
        waiting.clear();
        for (ModelOrder order : orders) {
            if (order.remove()) {
                complete.remove(order.model());
            } else if (!complete.containsKey(order.model())) {
                waiting.add(order);
            }
        }
        if (loading != null && !waiting.remove(loading)) {
            loading = null;
        }
    }

    /// Begins to load the next model, and returns how long that takes; null where it loads one
    /// already, or has nothing to load.
    @Nullable Duration begin() {
        if (loading != null || waiting.isEmpty()) {
            return null;
        }
        loading = waiting.iterator().next();
        waiting.remove(loading);
        number++;
        return Duration.ofSeconds(1 + bytes(loading) / BYTES_PER_SECOND);
    }

    private static long bytes(ModelOrder order) {
        return order.bytes() == 0 ? USUAL_BYTES : order.bytes();
    }

    int number() {
        return number;
    }

    /// The loading with this number has ended; false where it was given up before.
    boolean loaded(int which) {
        if (loading == null || which != number) {
            return false;
        }
        complete.put(loading.model(), bytes(loading));
        loading = null;
        return true;
    }

    /// The agent starts again: what was being loaded is gone.
    void restart() {
        waiting.clear();
        loading = null;
    }

    Report.NodeModels report() {
        var held = new ArrayList<HeldModel>();
        complete.forEach(
                (model, bytes) -> held.add(new HeldModel(model, CacheState.CACHED, bytes, "")));
        if (loading != null) {
            held.add(new HeldModel(loading.model(), CacheState.LOADING, 0, ""));
        }
        return new Report.NodeModels(node, held);
    }
}
