package io.gpusched.wire.request;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.SpellingSuggestion;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Reads the fields of one JSON object.
///
/// Each method returns the value of a field, or the given default if the field is absent or `null`.
/// An invalid value becomes a [Problem] and reading continues, so that the user sees all problems
/// at once. Fields that were never read are [#unknown].
public final class RequestFields {
    private static final int LONGEST_NUMBER = 64;

    private final String path;
    private final Map<String, JsonTree> entries;
    private final List<Problem> problems;
    private final boolean quotedNumbers;
    private final List<String> read = new ArrayList<>(40);

    RequestFields(JsonTree.Mapping tree, List<Problem> problems) {
        this("", tree, problems, false);
    }

    private RequestFields(
            String path, JsonTree.Mapping tree, List<Problem> problems, boolean quotedNumbers) {
        this.path = path;
        this.entries = tree.entries();
        this.problems = problems;
        this.quotedNumbers = quotedNumbers;
    }

    /// Fields in which a number or a flag may be written as a text: `"8"` is 8.
    ///
    /// @param path put before the name of a field in problems; empty, or with a dot at its end
    public static RequestFields withQuotedNumbers(
            String path, JsonTree.Mapping tree, List<Problem> problems) {
        return new RequestFields(path, tree, problems, true);
    }

    /// What stands before the name of a field in problems.
    public String path() {
        return path;
    }

    /// Every field as it was written.
    public Map<String, JsonTree> entries() {
        return Collections.unmodifiableMap(entries);
    }

    /// The value of `key`; null if it is absent or `null`.
    public @Nullable JsonTree value(String key) {
        read.add(key);
        JsonTree found = entries.get(key);
        return found instanceof JsonTree.Nothing ? null : found;
    }

    /// A text that is a number, as that number; anything else as it is.
    private JsonTree unquoted(JsonTree found) {
        if (!quotedNumbers
                || !(found instanceof JsonTree.Text(String text))
                || text.length() > LONGEST_NUMBER) {
            return found;
        }
        try {
            var number = new BigDecimal(text.strip());
            return number.scale() <= 0 || number.stripTrailingZeros().scale() <= 0
                    ? new JsonTree.Whole(number.longValueExact())
                    : new JsonTree.Fraction(number.doubleValue());
        } catch (ArithmeticException | NumberFormatException notANumber) {
            return found;
        }
    }

    public boolean has(String key) {
        JsonTree found = entries.get(key);
        return found != null && !(found instanceof JsonTree.Nothing);
    }

    /// Whether the field is present and `null`.
    public boolean isNull(String key) {
        return entries.get(key) instanceof JsonTree.Nothing;
    }

    public long whole(String key, long absent, long least, long most) {
        JsonTree found = value(key);
        if (found == null) {
            return absent;
        }
        if (unquoted(found) instanceof JsonTree.Whole(long number)
                && number >= least
                && number <= most) {
            return number;
        }
        invalid(
                key,
                "a whole number from " + least + " to " + most,
                found,
                "write a number in these bounds without quotes, or leave " + key + " out");
        return absent;
    }

    /// A duration: a whole number of `unit`, or a text such as `2h30m` or `1:00:00`.
    public Duration duration(String key, Duration absent, Duration unit, Duration most) {
        long units = most.dividedBy(unit);
        if (!(value(key) instanceof JsonTree.Text(String text))) {
            return has(key) ? unit.multipliedBy(whole(key, 0, 0, units)) : absent;
        }
        Duration found = DurationText.read(text, unit);
        if (found != null && found.compareTo(most) <= 0) {
            return found;
        }
        invalid(
                key,
                "a whole number from 0 to " + units + ", or a time such as 2h30m or 1:00:00",
                new JsonTree.Text(text),
                "write a number in these bounds without quotes, a time, or leave " + key + " out");
        return absent;
    }

    public int integer(String key, int absent, int least, int most) {
        return (int) whole(key, absent, least, most);
    }

    public double number(String key, double absent, double least, double most) {
        JsonTree found = value(key);
        if (found == null) {
            return absent;
        }
        double number =
                switch (unquoted(found)) {
                    case JsonTree.Whole(long value) -> value;
                    case JsonTree.Fraction(double value) -> value;
                    case JsonTree.Huge _, JsonTree.Text _, JsonTree.Flag _, JsonTree.Nothing _ ->
                            Double.NaN;
                    case JsonTree.Items _, JsonTree.Mapping _ -> Double.NaN;
                };
        if (number >= least && number <= most) {
            return number;
        }
        invalid(
                key,
                "a number from " + least + " to " + most,
                found,
                "write a number in these bounds without quotes, or leave " + key + " out");
        return absent;
    }

    public boolean flag(String key, boolean absent) {
        JsonTree found = value(key);
        if (found == null) {
            return absent;
        }
        if (found instanceof JsonTree.Flag(boolean value)) {
            return value;
        }
        if (quotedNumbers
                && found instanceof JsonTree.Text(String text)
                && List.of("true", "false").contains(text)) {
            return text.equals("true");
        }
        invalid(key, "true or false", found, "write it without quotes");
        return absent;
    }

    public String text(String key, String absent, int longest) {
        JsonTree found = value(key);
        if (found == null) {
            return absent;
        }
        return found instanceof JsonTree.Text(String text) && fits(key, text, longest)
                ? text
                : notText(key, found, absent);
    }

    private String notText(String key, JsonTree found, String absent) {
        if (!(found instanceof JsonTree.Text)) {
            invalid(key, "a text", found, "write it in double quotes");
        }
        return absent;
    }

    /// NUL characters are refused, because many programs end a text there.
    private boolean fits(String key, String text, int longest) {
        if (text.indexOf('\0') >= 0) {
            problem(key, key + " contains a NUL character", "remove it");
            return false;
        }
        if (text.length() <= longest) {
            return true;
        }
        problem(
                key,
                key + " is " + text.length() + " characters long, at most " + longest + " fit",
                "shorten it");
        return false;
    }

    /// A list of texts.
    public List<String> texts(String key, int most, int longest) {
        JsonTree found = value(key);
        if (found == null) {
            return List.of();
        }
        if (!(found instanceof JsonTree.Items(List<JsonTree> items))) {
            invalid(key, "a list of texts", found, "write [\"…\", \"…\"]");
            return List.of();
        }
        return texts(key, items, most, longest);
    }

    private List<String> texts(String key, List<JsonTree> items, int most, int longest) {
        if (!few(key, items.size(), most)) {
            return List.of();
        }
        var texts = new String[items.size()];
        for (int i = 0; i < texts.length; i++) {
            String place = key + "[" + i + "]";
            texts[i] = "";
            if (!(items.get(i) instanceof JsonTree.Text(String text))) {
                invalid(place, "a text", items.get(i), "write it in double quotes");
            } else if (fits(place, text, longest)) {
                texts[i] = text;
            }
        }
        return List.of(texts);
    }

    /// One text, or a list of them.
    public List<String> textOrTexts(String key, int most, int longest) {
        return has(key) && entries.get(key) instanceof JsonTree.Text
                ? List.of(text(key, "", longest))
                : texts(key, most, longest);
    }

    /// An object of texts; numbers and booleans are kept as they are written.
    public Labels labels(String key, int most, int longestKey, int longest) {
        JsonTree found = value(key);
        if (found == null) {
            return Labels.NONE;
        }
        if (!(found instanceof JsonTree.Mapping mapping)) {
            invalid(key, "an object of texts", found, "write {\"key\": \"value\"}");
            return Labels.NONE;
        }
        if (mapping.entries().isEmpty() || !few(key, mapping.entries().size(), most)) {
            return Labels.NONE;
        }
        var pairs = new TreeMap<String, String>();
        for (var pair : mapping.entries().entrySet()) {
            String place = key + "." + cut(pair.getKey());
            String text = spelled(place, pair.getValue());
            if (pair.getKey().isEmpty()
                    || pair.getKey().length() > longestKey
                    || pair.getKey().indexOf('\0') >= 0) {
                problem(
                        place,
                        "a key of " + key + " has 1 to " + longestKey + " characters",
                        "rename it");
            } else if (fits(place, text, longest)) {
                pairs.put(pair.getKey(), text);
            }
        }
        return new Labels(pairs);
    }

    private String spelled(String place, JsonTree value) {
        return switch (value) {
            case JsonTree.Text(String text) -> text;
            case JsonTree.Whole(long whole) -> Long.toString(whole);
            case JsonTree.Fraction(double fraction) -> Double.toString(fraction);
            case JsonTree.Huge(String digits) -> digits;
            case JsonTree.Flag(boolean flag) -> Boolean.toString(flag);
            case JsonTree.Nothing _, JsonTree.Items _, JsonTree.Mapping _ -> {
                invalid(place, "a text", value, "write it in double quotes");
                yield "";
            }
        };
    }

    /// A nested object; null if it is absent.
    public @Nullable RequestFields object(String key) {
        JsonTree found = value(key);
        if (found == null) {
            return null;
        }
        if (found instanceof JsonTree.Mapping mapping) {
            return new RequestFields(path + key + ".", mapping, problems, quotedNumbers);
        }
        invalid(key, "an object", found, "write {…}");
        return null;
    }

    /// A list of nested objects.
    public List<RequestFields> objects(String key, int most) {
        JsonTree found = value(key);
        return found == null ? List.of() : objects(key, found, most);
    }

    /// A list of lists of nested objects.
    List<List<RequestFields>> alternatives(String key, int most, int mostEach) {
        JsonTree found = value(key);
        if (found == null) {
            return List.of();
        }
        if (!(found instanceof JsonTree.Items(List<JsonTree> items))) {
            invalid(key, "a list of lists of objects", found, "write [[{…}, {…}], [{…}]]");
            return List.of();
        }
        if (!few(key, items.size(), most)) {
            return List.of();
        }
        var alternatives = new ArrayList<List<RequestFields>>();
        for (int i = 0; i < items.size(); i++) {
            String place = key + "[" + i + "]";
            if (items.get(i) instanceof JsonTree.Items(List<JsonTree> none) && none.isEmpty()) {
                problem(place, place + " is empty, and no node meets it", "remove it");
            }
            alternatives.add(objects(place, items.get(i), mostEach));
        }
        return alternatives;
    }

    private List<RequestFields> objects(String key, JsonTree found, int most) {
        if (!(found instanceof JsonTree.Items(List<JsonTree> items))) {
            invalid(key, "a list of objects", found, "write [{…}, {…}]");
            return List.of();
        }
        if (!few(key, items.size(), most)) {
            return List.of();
        }
        var objects = new ArrayList<RequestFields>();
        for (int i = 0; i < items.size(); i++) {
            String place = key + "[" + i + "]";
            if (items.get(i) instanceof JsonTree.Mapping mapping) {
                objects.add(
                        new RequestFields(path + place + ".", mapping, problems, quotedNumbers));
            } else {
                invalid(place, "an object", items.get(i), "write {…}");
            }
        }
        return objects;
    }

    private boolean few(String key, int size, int most) {
        if (size <= most) {
            return true;
        }
        problem(key, key + " has " + size + " entries, at most " + most + " fit", "remove some");
        return false;
    }

    public void invalid(String key, String expected, JsonTree found, String hint) {
        problem(key, key + " must be " + expected + ", found " + found.shown(), hint);
    }

    /// Adds a problem, but only one for each field that is read twice.
    public void problem(String key, String message, String hint) {
        var problem = new Problem(Problem.Code.INVALID, path + key, message, hint);
        if (!problems.contains(problem)) {
            problems.add(problem);
        }
    }

    /// A warning for each field that was never read.
    public List<String> unknown() {
        if (read.containsAll(entries.keySet())) {
            return List.of();
        }
        var sentences = new ArrayList<String>();
        for (String key : entries.keySet()) {
            if (!read.contains(key)) {
                String nearest = SpellingSuggestion.to(key, read);
                sentences.add(
                        path
                                + cut(key)
                                + " is not known and was ignored"
                                + (nearest == null ? "" : "; did you mean " + nearest + "?"));
            }
        }
        return sentences;
    }

    private static String cut(String key) {
        return key.length() <= 60 ? key : key.substring(0, 57) + "...";
    }
}
