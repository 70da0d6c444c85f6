package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// Finds the known name that a mistyped name probably means.
public final class SpellingSuggestion {
    private static final int MOST_LETTERS = 60;

    private SpellingSuggestion() {}

    /// The known name that needs the fewest edits to become `key`; null when none is close. Case,
    /// hyphens and underscores do not count.
    public static @Nullable String to(String key, List<String> known) {
        if (key.length() > MOST_LETTERS) {
            return null;
        }
        String nearest = null;
        int fewest = Math.max(2, key.length() / 3) + 1;
        for (String name : known) {
            int edits = edits(plain(key), plain(name));
            if (edits < fewest) {
                fewest = edits;
                nearest = name;
            }
        }
        return nearest;
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
    }

    /// The known name that needs the fewest edits to become `typed`, however many these are;
    /// `typed` itself when no name is known.
    public static String closest(String typed, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(name -> edits(typed, name)))
                .orElse(typed);
    }

    /// The known option closest to `typed`: as a whole, or by one of its words, so that `--prot`
    /// suggests `--http-port` rather than `--export`. Null when none is close.
    public static @Nullable String option(String typed, List<String> known) {
        String word = bare(typed);
        String nearest = null;
        int fewest = Math.max(2, word.length() / 3) + 1;
        for (String name : known) {
            int edits = edits(word, bare(name));
            for (String part : bare(name).split("-")) {
                edits = Math.min(edits, edits(word, part));
            }
            if (edits < fewest && !name.equals(typed)) {
                fewest = edits;
                nearest = name;
            }
        }
        return nearest;
    }

    private static String bare(String option) {
        return option.startsWith("--") ? option.substring(2) : option;
    }

    /// Letters to insert, delete or replace to turn one word into the other: Levenshtein's
    /// distance, one row of the usual table at a time.
    public static int edits(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
