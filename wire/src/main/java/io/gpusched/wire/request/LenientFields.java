package io.gpusched.wire.request;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Reads the fields of a request to the scoring service. Unknown fields are ignored, a number may
/// be written as text, and a field may have several names.
final class LenientFields {
    static final int LONGEST = 253;

    private final Map<String, JsonTree> entries;
    private final List<FieldViolation> violations;

    LenientFields(JsonTree.Mapping tree, List<FieldViolation> violations) {
        this.entries = tree.entries();
        this.violations = violations;
    }

    /// The first of these names that has a value; null if none has.
    private @Nullable String present(String... names) {
        for (String name : names) {
            JsonTree found = entries.get(name);
            if (found != null && !(found instanceof JsonTree.Nothing)) {
                return name;
            }
        }
        return null;
    }

    private @Nullable JsonTree value(String name) {
        JsonTree found = entries.get(name);
        return found instanceof JsonTree.Nothing ? null : found;
    }

    /// A required text.
    String text(String name) {
        JsonTree found = entries.get(name);
        if (found == null) {
            invalid(name, "missing", "Field required");
            return "";
        }
        return text(name, -1, found);
    }

    private String text(String name, int index, JsonTree found) {
        if (!(found instanceof JsonTree.Text(String text))) {
            invalid(name, index, "string_type", "Input should be a valid string");
            return "";
        }
        if (text.isBlank()) {
            invalid(name, index, "string_too_short", "String should have at least 1 character");
        } else if (text.length() > LONGEST) {
            invalid(
                    name,
                    index,
                    "string_too_long",
                    "String should have at most " + LONGEST + " characters");
        } else if (text.indexOf('\0') >= 0) {
            invalid(name, index, "string_type", "Input should not hold the character 0");
        } else {
            return text;
        }
        return "";
    }

    /// A list of texts.
    List<String> texts(String name, boolean required, int most) {
        JsonTree found = required ? entries.get(name) : value(name);
        if (found == null) {
            if (required) {
                invalid(name, "missing", "Field required");
            }
            return List.of();
        }
        if (!(found instanceof JsonTree.Items(List<JsonTree> items))) {
            invalid(name, "list_type", "Input should be a valid list");
            return List.of();
        }
        if (items.size() > most) {
            invalid(
                    name,
                    "too_long",
                    "List should have at most " + most + " items, not " + items.size());
            return List.of();
        }
        var texts = new ArrayList<String>(items.size());
        for (int i = 0; i < items.size(); i++) {
            texts.add(text(name, i, items.get(i)));
        }
        return texts;
    }

    /// A required number under one of these names.
    double number(double least, double most, String... names) {
        String name = present(names);
        if (name == null) {
            invalid(names[0], "missing", "Field required");
            return least;
        }
        return number(name, least, most);
    }

    double numberOr(double absent, String name, double most) {
        return value(name) == null ? absent : number(name, 0, most);
    }

    private double number(String name, double least, double most) {
        double number = read(entries.get(name));
        if (Double.isNaN(number)) {
            invalid(name, "float_parsing", "Input should be a valid number");
            return least;
        }
        if (number < least) {
            invalid(name, "greater_than_equal", "Input should be at least " + least);
            return least;
        }
        if (number > most) {
            invalid(name, "less_than_equal", "Input should be at most " + most);
            return least;
        }
        return number;
    }

    private static double read(@Nullable JsonTree found) {
        return switch (found) {
            case JsonTree.Whole(long whole) -> whole;
            case JsonTree.Fraction(double fraction) -> fraction;
            case JsonTree.Text(String text) -> parsed(text);
            case JsonTree.Huge(String digits) -> parsed(digits);
            case null, default -> Double.NaN;
        };
    }

    private static double parsed(String text) {
        try {
            return text.length() > 64 ? Double.NaN : Double.parseDouble(text.strip());
        } catch (NumberFormatException notANumber) {
            return Double.NaN;
        }
    }

    /// Whether the field is present and is false or one of these words.
    boolean denies(String name, List<String> words) {
        return switch (value(name)) {
            case JsonTree.Flag(boolean flag) -> !flag;
            case JsonTree.Text(String text) -> words.contains(text.toLowerCase(Locale.ROOT));
            case null, default -> false;
        };
    }

    /// The fields of an object; no fields if there is no object.
    LenientFields object(String name) {
        JsonTree found = value(name);
        if (found instanceof JsonTree.Mapping mapping) {
            return new LenientFields(mapping, violations);
        }
        if (found != null) {
            invalid(name, "dict_type", "Input should be a valid dictionary");
        }
        return new LenientFields(new JsonTree.Mapping(new LinkedHashMap<>()), violations);
    }

    private void invalid(String name, String type, String message) {
        violations.add(FieldViolation.of(name, type, message));
    }

    private void invalid(String name, int index, String type, String message) {
        violations.add(new FieldViolation(name, index, type, message));
    }
}
