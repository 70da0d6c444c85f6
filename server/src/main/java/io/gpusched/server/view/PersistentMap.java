package io.gpusched.server.view;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// An immutable map for many rows of which few change at a time: a copy of ten thousand rows with
/// one changed costs the copy of one array. Rows keep the order in which their keys were first
/// added.
public final class PersistentMap<K, V> {
    private final Map<K, Integer> places;
    private final List<@Nullable V> values;

    private PersistentMap(Map<K, Integer> places, List<@Nullable V> values) {
        this.places = places;
        this.values = values;
    }

    public static <K, V> PersistentMap<K, V> none() {
        return new PersistentMap<>(new HashMap<>(), new ArrayList<>());
    }

    /// A copy with other values for some keys; null removes a row.
    public PersistentMap<K, V> with(Map<K, ? extends @Nullable V> changes) {
        if (changes.isEmpty()) {
            return this;
        }
        List<@Nullable V> next = new ArrayList<>(values);
        var added = new LinkedHashMap<K, Integer>();
        for (K key : changes.keySet()) {
            V value = changes.get(key);
            Integer place = places.get(key);
            if (place != null) {
                next.set(place, value);
            } else if (value != null) {
                added.put(key, next.size());
                next.add(value);
            }
        }
        return new PersistentMap<>(added.isEmpty() ? places : joined(added), next);
    }

    private Map<K, Integer> joined(Map<K, Integer> added) {
        var all = new HashMap<>(places);
        all.putAll(added);
        return all;
    }

    public @Nullable V row(K key) {
        Integer place = places.get(key);
        return place == null ? null : values.get(place);
    }

    public List<V> all() {
        var all = new ArrayList<V>(values.size());
        for (V value : values) {
            if (value != null) {
                all.add(value);
            }
        }
        return all;
    }
}
