package io.gpusched.core.model;

import java.util.List;
import java.util.OptionalLong;

/// What a job requires of one label of a node.
///
///     zone In (a, b)          the label is there and has one of the values
///     zone NotIn (a, b)       the label has none of the values, or is not there
///     disk Exists             the label is there, whatever its value
///     disk DoesNotExist       the label is not there
///     cards Gt (4)            the label is a whole number above 4; Lt: below
public record NodeRequirement(String key, Operator operator, List<String> values) {
    /// How the label is compared, with the names that Kubernetes uses.
    public enum Operator {
        IN("In"),
        NOT_IN("NotIn"),
        EXISTS("Exists"),
        DOES_NOT_EXIST("DoesNotExist"),
        GREATER("Gt"),
        LESS("Lt");

        private final String word;

        Operator(String word) {
            this.word = word;
        }

        /// The name in requests.
        public String word() {
            return word;
        }
    }

    public NodeRequirement {
        values = List.copyOf(values);
    }

    /// Whether a node with these labels meets it.
    public boolean accepts(Labels labels) {
        String found = labels.entries().get(key);
        return switch (operator) {
            case IN -> found != null && values.contains(found);
            case NOT_IN -> found == null || !values.contains(found);
            case EXISTS -> found != null;
            case DOES_NOT_EXIST -> found == null;
            case GREATER -> found != null && compared(found) > 0;
            case LESS -> found != null && compared(found) < 0;
        };
    }

    /// Zero if one of the two is not a whole number: such a node meets neither `Gt` nor `Lt`.
    private int compared(String found) {
        OptionalLong here = number(found);
        OptionalLong bound = values.isEmpty() ? OptionalLong.empty() : number(values.getFirst());
        return here.isPresent() && bound.isPresent()
                ? Long.compare(here.getAsLong(), bound.getAsLong())
                : 0;
    }

    /// The text as a whole number; empty if it is none.
    public static OptionalLong number(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException notANumber) {
            return OptionalLong.empty();
        }
    }

    /// The requirement as a phrase for people: `zone in (a, b)`.
    public String words() {
        String all = "(" + String.join(", ", values) + ")";
        String bound = values.isEmpty() ? "" : values.getFirst();
        return switch (operator) {
            case IN -> values.size() == 1 ? key + "=" + bound : key + " in " + all;
            case NOT_IN -> values.size() == 1 ? key + "!=" + bound : key + " not in " + all;
            case EXISTS -> "label " + key;
            case DOES_NOT_EXIST -> "no label " + key;
            case GREATER -> key + " above " + bound;
            case LESS -> key + " below " + bound;
        };
    }
}
