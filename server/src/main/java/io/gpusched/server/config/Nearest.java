package io.gpusched.server.config;

import java.util.Collection;
import java.util.Comparator;

/// Finds the name a person probably meant.
public final class Nearest {
    private Nearest() {}

    /// The name in `known` that needs the fewest edits to become `typed`; `typed` itself for none.
    public static String to(String typed, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(name -> edits(typed, name)))
                .orElse(typed);
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
