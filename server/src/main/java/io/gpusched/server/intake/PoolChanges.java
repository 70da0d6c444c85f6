package io.gpusched.server.intake;

import io.gpusched.core.pool.AgentClass;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.QueueBinding;
import io.gpusched.server.view.PoolRow;
import io.gpusched.server.view.PoolsView;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// Collects new pools, classes and bindings, and finds which pools must be put because of them: the
/// new ones, and present ones that a changed class or binding changes.
final class PoolChanges {
    private final PoolsView before;
    private final Map<String, AgentClass> classes;
    private final Map<String, QueueBinding> bindings;
    private final SequencedMap<PoolId, Pool> given = new LinkedHashMap<>();

    PoolChanges(PoolsView before) {
        this.before = before;
        this.classes = new LinkedHashMap<>(before.classes());
        this.bindings = new LinkedHashMap<>(before.bindings());
    }

    void put(Pool pool) {
        given.put(pool.id(), pool);
    }

    void put(AgentClass agentClass) {
        classes.put(agentClass.name(), agentClass);
    }

    void put(QueueBinding binding) {
        bindings.put(binding.name(), binding);
    }

    boolean knowsClass(String name) {
        return classes.containsKey(name);
    }

    /// The pools to put, each complete.
    List<Pool> pools() {
        var derivation = new PoolDerivation(classes, bindings.values());
        var all = new LinkedHashMap<PoolId, Pool>();
        for (PoolRow row : before.rows().all()) {
            Pool complete = derivation.complete(row.pool());
            if (!row.removed() && !complete.equals(row.pool())) {
                all.put(row.pool().id(), complete);
            }
        }
        given.forEach((id, pool) -> all.put(id, derivation.complete(pool)));
        return List.copyOf(all.values());
    }
}
