package io.gpusched.sim.scenario;

import java.util.Collection;

/// Finds the word somebody probably meant.
final class Spelling {
    private Spelling() {}

    /// `did you mean X?` when one of the known words is close, else the list of them all.
    static String advice(String word, Collection<String> known) {
        String nearest = "";
        int least = Integer.MAX_VALUE;
        for (String candidate : known) {
            int changes = changes(word, candidate);
            if (changes < least) {
                least = changes;
                nearest = candidate;
            }
        }
        return least <= Math.max(2, word.length() / 3)
                ? "did you mean " + nearest + "?"
                : "known here are " + String.join(", ", known);
    }

    /// How many letters must be put in, taken out or changed to turn one word into the other.
    static int changes(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
