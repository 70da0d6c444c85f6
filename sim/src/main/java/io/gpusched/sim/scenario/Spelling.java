package io.gpusched.sim.scenario;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// Finds the word somebody probably meant.
final class Spelling {
    /// So many words of the same beginning are offered.
    private static final int MOST_KIN = 3;

    private Spelling() {}

    /// `did you mean X?` when one of the known words is close, else the list of them all. Where the
    /// closest begins with another word than the one that was written, those that begin with the
    /// same are offered before it: the end may be what was wrong.
    static String advice(String word, Collection<String> known) {
        List<String> near =
                known.stream()
                        .sorted(Comparator.comparingInt(candidate -> changes(word, candidate)))
                        .toList();
        if (near.isEmpty() || changes(word, near.getFirst()) > Math.max(2, word.length() / 3)) {
            return "known here are " + String.join(", ", known);
        }
        String nearest = near.getFirst();
        String beginning = beginning(word);
        List<String> kin =
                beginning.equals(word) || beginning.equals(beginning(nearest))
                        ? List.of()
                        : near.stream()
                                .filter(candidate -> beginning.equals(beginning(candidate)))
                                .limit(MOST_KIN)
                                .toList();
        return kin.isEmpty()
                ? "did you mean " + nearest + "?"
                : "did you mean " + String.join(", ", kin) + " or " + nearest + "?";
    }

    /// What stands before the first hyphen or underscore.
    private static String beginning(String word) {
        return word.split("[-_]", 2)[0];
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
