package io.gpusched.sim.whatif;

import io.gpusched.core.model.SpellingSuggestion;

import java.util.List;

/// A what-if that cannot be answered; the message says why, and what to ask instead.
public final class InvalidWhatIf extends RuntimeException {
    public InvalidWhatIf(String message) {
        super(message);
    }

    static InvalidWhatIf unknown(String what, String found, List<String> known) {
        String nearest = SpellingSuggestion.to(found, known);
        return new InvalidWhatIf(
                "expected a known "
                        + what
                        + ", found \""
                        + found
                        + "\"; "
                        + (nearest == null ? "" : "the nearest is " + nearest + ", ")
                        + "known are "
                        + String.join(", ", known));
    }
}
