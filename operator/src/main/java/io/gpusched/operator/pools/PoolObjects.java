package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.node.ObjectNode;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The custom resources that are there. One thread owns it.
final class PoolObjects {
    private final Map<PoolKind, Map<ObjectKey, ObjectNode>> all = new EnumMap<>(PoolKind.class);

    PoolObjects() {
        for (PoolKind kind : PoolKind.values()) {
            all.put(kind, new LinkedHashMap<>());
        }
    }

    void put(ObjectKey key, ObjectNode object) {
        of(key.kind()).put(key, object);
    }

    void remove(ObjectKey key) {
        of(key.kind()).remove(key);
    }

    @Nullable ObjectNode find(ObjectKey key) {
        return of(key.kind()).get(key);
    }

    /// The keys of one kind; a copy.
    Collection<ObjectKey> keys(PoolKind kind) {
        return List.copyOf(of(kind).keySet());
    }

    private Map<ObjectKey, ObjectNode> of(PoolKind kind) {
        return all.getOrDefault(kind, Map.of());
    }
}
