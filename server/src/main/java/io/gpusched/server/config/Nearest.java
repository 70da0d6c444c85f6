package io.gpusched.server.config;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// Finds the name a person probably meant.
public final class Nearest {
    private Nearest() {}

    /// The name in `known` that needs the fewest edits to become `typed`; `typed` itself for none.
    public static String to(String typed, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(name -> edits(typed, name)))
                .orElse(typed);
    }

    /// The option that `typed` was probably meant to be: as a whole, or by one of its words, so
    /// that `--prot` is `--http-port` rather than `--export`. Null when none is near.
    static @Nullable String option(String typed, List<String> known) {
        String word = bare(typed);
        String nearest = null;
        int fewest = Math.max(2, word.length() / 3) + 1;
        for (String name : known) {
            int edits =
                    Math.min(
                            edits(word, bare(name)),
                            Arrays.stream(bare(name).split("-"))
                                    .mapToInt(part -> edits(word, part))
                                    .min()
                                    .orElse(fewest));
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

    /// Levenshtein's distance, one row at a time.
    static int edits(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j < row.length; j++) {
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
