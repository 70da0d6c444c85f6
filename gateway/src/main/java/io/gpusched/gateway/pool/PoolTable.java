package io.gpusched.gateway.pool;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;

/// All pools that the scheduler named last. When the scheduler cannot be reached, they stay.
public final class PoolTable {
    private final TreeMap<String, ServedPool> pools = new TreeMap<>();
    private boolean known;

    /// Takes a whole list of the scheduler. Returns the replicas that it no longer has.
    public List<ServedReplica> update(List<PoolConfig> configs) {
        known = true;
        var names = new HashSet<String>();
        var gone = new ArrayList<ServedReplica>();
        for (PoolConfig config : configs) {
            names.add(config.name());
            ServedPool pool = pools.get(config.name());
            if (pool == null) {
                pools.put(config.name(), new ServedPool(config));
            } else {
                gone.addAll(pool.update(config));
            }
        }
        pools.values()
                .removeIf(
                        pool -> {
                            boolean missing = !names.contains(pool.name());
                            if (missing) {
                                gone.addAll(pool.forget());
                            }
                            return missing;
                        });
        return gone;
    }

    /// Whether the scheduler has named its pools at least once.
    public boolean isKnown() {
        return known;
    }

    public Collection<ServedPool> pools() {
        return pools.values();
    }

    public @Nullable ServedPool named(String name) {
        return pools.get(name);
    }

    /// The pool of this name, or the first one by name that serves this model; of those that are
    /// allowed, so that nobody takes a name away from others.
    public @Nullable ServedPool serving(String model, Predicate<PoolConfig> allowed) {
        ServedPool named = pools.get(model);
        if (named != null && allowed.test(named.config())) {
            return named;
        }
        for (ServedPool pool : pools.values()) {
            if (pool.config().model().equals(model) && allowed.test(pool.config())) {
                return pool;
            }
        }
        return null;
    }
}
