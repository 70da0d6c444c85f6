package io.gpusched.wire.request;

import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;

/// A JSON value. Numbers keep their form: `1` is an integer, `1.5` is not, and a number that fits
/// neither a long nor a double stays text for messages.
public sealed interface JsonTree {
    record Text(String value) implements JsonTree {}

    record Whole(long value) implements JsonTree {}

    record Fraction(double value) implements JsonTree {}

    /// A number that fits neither a long nor a double.
    record Huge(String digits) implements JsonTree {}

    record Flag(boolean value) implements JsonTree {}

    record Nothing() implements JsonTree {}

    record Items(List<JsonTree> all) implements JsonTree {
        public Items {
            all = Collections.unmodifiableList(all);
        }
    }

    /// In the order of the document.
    record Mapping(SequencedMap<String, JsonTree> entries) implements JsonTree {
        public Mapping {
            entries = Collections.unmodifiableSequencedMap(entries);
        }
    }

    /// The value in a form for messages; long values are truncated.
    default String shown() {
        String text =
                switch (this) {
                    case Text(String value) -> '"' + value + '"';
                    case Whole(long value) -> Long.toString(value);
                    case Fraction(double value) -> Double.toString(value);
                    case Huge(String digits) -> digits;
                    case Flag(boolean value) -> Boolean.toString(value);
                    case Nothing() -> "null";
                    case Items(List<JsonTree> all) -> "a list of " + all.size();
                    case Mapping(SequencedMap<String, JsonTree> entries) ->
                            "an object with " + entries.size() + " keys";
                };
        return text.length() <= 60 ? text : text.substring(0, 57) + "...";
    }
}
