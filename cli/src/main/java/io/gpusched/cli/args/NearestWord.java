package io.gpusched.cli.args;

import java.util.Comparator;
import java.util.List;

/// Suggests the known word whose spelling is nearest to an unknown one.
///
/// The CLI talks to the REST API only and must not depend on the core, so it does not use the
/// core's `SpellingSuggestion`. This edit distance also counts two swapped letters as one edit.
public final class NearestWord {
    private NearestWord() {}

    /// `; did you mean --gpus?` with the nearest candidate. Empty if no candidate is near enough to
    /// be a typing error.
    public static String suggestion(String word, List<String> candidates) {
        return candidates.stream()
                .filter(candidate -> distance(word, candidate) <= Math.max(1, word.length() / 3))
                .min(Comparator.comparingInt(candidate -> distance(word, candidate)))
                .map(candidate -> "; did you mean " + candidate + "?")
                .orElse("");
    }

    /// At most `most` candidates, the nearest first.
    public static List<String> first(String word, List<String> candidates, int most) {
        return candidates.stream()
                .sorted(Comparator.comparingInt(candidate -> distance(word, candidate)))
                .limit(most)
                .toList();
    }

    /// How many letters to insert, delete, replace or swap with their neighbour to turn `a` into
    /// `b`.
    static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, a, b, i, j);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int cheapest(int[][] cost, String a, String b, int i, int j) {
        int replace = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int best = Math.min(replace, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean swapped =
                i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }
}
