package io.gpusched.core.model;

import java.util.Collections;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Pairs of text, in the order of their keys so that equal labels always print and hash alike.
public record Labels(SequencedMap<String, String> entries) {
    public static final Labels NONE =
            new Labels(Collections.unmodifiableSequencedMap(new TreeMap<>()));

    public Labels {
        entries = Collections.unmodifiableSequencedMap(new TreeMap<>(entries));
    }

    public static Labels of(String key, String value) {
        var entries = new TreeMap<String, String>();
        entries.put(key, value);
        return new Labels(entries);
    }

    /// These labels with one more pair; a pair with the same key is replaced.
    public Labels with(String key, String value) {
        var more = new TreeMap<>(entries);
        more.put(key, value);
        return new Labels(more);
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /// The value under `key`, or the empty text.
    public String value(String key) {
        return entries.getOrDefault(key, "");
    }

    /// Whether every pair of `wanted` is among these.
    public boolean containAll(Labels wanted) {
        for (var pair : wanted.entries.entrySet()) {
            if (!pair.getValue().equals(entries.get(pair.getKey()))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return entries.toString();
    }
}
