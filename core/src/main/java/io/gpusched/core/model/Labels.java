package io.gpusched.core.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Pairs of text, ordered by key so that equal labels always print alike. Look-ups are far more
/// frequent than construction, and many keys share a prefix: so they go by hash, not by comparison.
public record Labels(SequencedMap<String, String> entries) {
    public static final Labels NONE =
            new Labels(Collections.unmodifiableSequencedMap(new TreeMap<>()));

    public Labels {
        entries = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(new TreeMap<>(entries)));
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

    /// Whether the value under `key`, read as a comma-separated list, has this item. No list has an
    /// empty item.
    public boolean lists(String key, String item) {
        if (item.isEmpty()) {
            return false;
        }
        String all = value(key);
        for (int at = all.indexOf(item); at >= 0; at = all.indexOf(item, at + 1)) {
            if (isEdge(all, at - 1, -1) && isEdge(all, at + item.length(), 1)) {
                return true;
            }
        }
        return false;
    }

    /// Whether only blanks lie between `at` and the next comma or end in that direction.
    private static boolean isEdge(String text, int at, int step) {
        int here = at;
        while (here >= 0 && here < text.length() && text.charAt(here) == ' ') {
            here += step;
        }
        return here < 0 || here >= text.length() || text.charAt(here) == ',';
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
