package io.gpusched.sim.scenario;

import io.gpusched.core.model.SpellingSuggestion;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// Suggests a known word for an unknown one.
final class UnknownWord {
    /// At most this many words with the same beginning are offered.
    private static final int MOST_KIN = 3;

    private UnknownWord() {}

    /// `did you mean X?` if a known word is close, else the list of all. If the closest word begins
    /// differently from the unknown one, known words with the same beginning are suggested before
    /// it.
    static String advice(String word, Collection<String> known) {
        List<String> near =
                known.stream()
                        .sorted(
                                Comparator.comparingInt(
                                        candidate -> SpellingSuggestion.edits(word, candidate)))
                        .toList();
        if (near.isEmpty()
                || SpellingSuggestion.edits(word, near.getFirst())
                        > Math.max(2, word.length() / 3)) {
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

    /// The part before the first hyphen or underscore.
    private static String beginning(String word) {
        return word.split("[-_]", 2)[0];
    }
}
