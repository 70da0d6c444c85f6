package io.gpusched.wire.request;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Nearest;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The fields of one object, while they are being read.
///
/// Asking for a field gives its value or, where there is none or `null`, what the asker says
/// instead. A wrong one becomes a [Problem] and reading goes on, so that a person hears of all
/// mistakes at once. Fields that nobody asked for are [#unknown].
final class Fields {
    private final String path;
    private final Map<String, Tree> entries;
    private final List<Problem> problems;
    private final List<String> asked = new ArrayList<>(40);

    Fields(Tree.Mapping tree, List<Problem> problems) {
        this("", tree, problems);
    }

    private Fields(String path, Tree.Mapping tree, List<Problem> problems) {
        this.path = path;
        this.entries = tree.entries();
        this.problems = problems;
    }

    /// The value under `key`; null when there is none, or `null`.
    @Nullable Tree value(String key) {
        asked.add(key);
        Tree found = entries.get(key);
        return found instanceof Tree.Nothing ? null : found;
    }

    boolean has(String key) {
        Tree found = entries.get(key);
        return found != null && !(found instanceof Tree.Nothing);
    }

    /// Whether `null` was written for it.
    boolean isNull(String key) {
        return entries.get(key) instanceof Tree.Nothing;
    }

    long whole(String key, long absent, long least, long most) {
        Tree found = value(key);
        if (found == null) {
            return absent;
        }
        if (found instanceof Tree.Whole(long number) && number >= least && number <= most) {
            return number;
        }
        wrong(
                key,
                "a whole number from " + least + " to " + most,
                found,
                "write a number in these bounds without quotes, or leave " + key + " out");
        return absent;
    }

    /// A length of time: a whole number of `unit`, or a text such as `2h30m` or `1:00:00`.
    Duration duration(String key, Duration absent, Duration unit, Duration most) {
        long units = most.dividedBy(unit);
        if (!(value(key) instanceof Tree.Text(String text))) {
            return has(key) ? unit.multipliedBy(whole(key, 0, 0, units)) : absent;
        }
        Duration found = DurationText.read(text, unit);
        if (found != null && found.compareTo(most) <= 0) {
            return found;
        }
        wrong(
                key,
                "a whole number from 0 to " + units + ", or a time such as 2h30m or 1:00:00",
                new Tree.Text(text),
                "write a number in these bounds without quotes, a time, or leave " + key + " out");
        return absent;
    }

    int integer(String key, int absent, int least, int most) {
        return (int) whole(key, absent, least, most);
    }

    double number(String key, double absent, double least, double most) {
        Tree found = value(key);
        if (found == null) {
            return absent;
        }
        double number =
                switch (found) {
                    case Tree.Whole(long value) -> value;
                    case Tree.Fraction(double value) -> value;
                    case Tree.Huge _, Tree.Text _, Tree.Flag _, Tree.Nothing _ -> Double.NaN;
                    case Tree.Items _, Tree.Mapping _ -> Double.NaN;
                };
        if (number >= least && number <= most) {
            return number;
        }
        wrong(
                key,
                "a number from " + least + " to " + most,
                found,
                "write a number in these bounds without quotes, or leave " + key + " out");
        return absent;
    }

    boolean flag(String key, boolean absent) {
        Tree found = value(key);
        if (found == null) {
            return absent;
        }
        if (found instanceof Tree.Flag(boolean value)) {
            return value;
        }
        wrong(key, "true or false", found, "write it without quotes");
        return absent;
    }

    String text(String key, String absent, int longest) {
        Tree found = value(key);
        if (found == null) {
            return absent;
        }
        return found instanceof Tree.Text(String text) && fits(key, text, longest)
                ? text
                : notText(key, found, absent);
    }

    private String notText(String key, Tree found, String absent) {
        if (!(found instanceof Tree.Text)) {
            wrong(key, "a text", found, "write it in double quotes");
        }
        return absent;
    }

    /// A zero ends texts in many places that a text may get to.
    private boolean fits(String key, String text, int longest) {
        if (text.indexOf('\0') >= 0) {
            problem(key, key + " holds the character 0", "remove it");
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
    List<String> texts(String key, int most, int longest) {
        Tree found = value(key);
        if (found == null) {
            return List.of();
        }
        if (!(found instanceof Tree.Items(List<Tree> items))) {
            wrong(key, "a list of texts", found, "write [\"…\", \"…\"]");
            return List.of();
        }
        return texts(key, items, most, longest);
    }

    private List<String> texts(String key, List<Tree> items, int most, int longest) {
        if (!few(key, items.size(), most)) {
            return List.of();
        }
        var texts = new String[items.size()];
        for (int i = 0; i < texts.length; i++) {
            String place = key + "[" + i + "]";
            texts[i] = "";
            if (!(items.get(i) instanceof Tree.Text(String text))) {
                wrong(place, "a text", items.get(i), "write it in double quotes");
            } else if (fits(place, text, longest)) {
                texts[i] = text;
            }
        }
        return List.of(texts);
    }

    /// One text, or a list of them.
    List<String> textOrTexts(String key, int most, int longest) {
        return has(key) && entries.get(key) instanceof Tree.Text
                ? List.of(text(key, "", longest))
                : texts(key, most, longest);
    }

    /// An object of texts; numbers and flags are taken as they are spelled.
    Labels labels(String key, int most, int longestKey, int longest) {
        Tree found = value(key);
        if (found == null) {
            return Labels.NONE;
        }
        if (!(found instanceof Tree.Mapping mapping)) {
            wrong(key, "an object of texts", found, "write {\"key\": \"value\"}");
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

    private String spelled(String place, Tree value) {
        return switch (value) {
            case Tree.Text(String text) -> text;
            case Tree.Whole(long whole) -> Long.toString(whole);
            case Tree.Fraction(double fraction) -> Double.toString(fraction);
            case Tree.Huge(String digits) -> digits;
            case Tree.Flag(boolean flag) -> Boolean.toString(flag);
            case Tree.Nothing _, Tree.Items _, Tree.Mapping _ -> {
                wrong(place, "a text", value, "write it in double quotes");
                yield "";
            }
        };
    }

    /// An object read by its own fields; null where there is none.
    @Nullable Fields object(String key) {
        Tree found = value(key);
        if (found == null) {
            return null;
        }
        if (found instanceof Tree.Mapping mapping) {
            return new Fields(path + key + ".", mapping, problems);
        }
        wrong(key, "an object", found, "write {…}");
        return null;
    }

    /// A list of objects, each read by its own fields.
    List<Fields> objects(String key, int most) {
        Tree found = value(key);
        if (found == null) {
            return List.of();
        }
        if (!(found instanceof Tree.Items(List<Tree> items))) {
            wrong(key, "a list of objects", found, "write [{…}, {…}]");
            return List.of();
        }
        if (!few(key, items.size(), most)) {
            return List.of();
        }
        var objects = new ArrayList<Fields>();
        for (int i = 0; i < items.size(); i++) {
            String place = key + "[" + i + "]";
            if (items.get(i) instanceof Tree.Mapping mapping) {
                objects.add(new Fields(path + place + ".", mapping, problems));
            } else {
                wrong(place, "an object", items.get(i), "write {…}");
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

    void wrong(String key, String expected, Tree found, String hint) {
        problem(key, key + " must be " + expected + ", found " + found.shown(), hint);
    }

    /// A field may be asked for twice; what is wrong with it is told once.
    void problem(String key, String message, String hint) {
        var problem = new Problem(Problem.Code.INVALID, path + key, message, hint);
        if (!problems.contains(problem)) {
            problems.add(problem);
        }
    }

    /// A sentence for each field that nobody asked for.
    List<String> unknown() {
        if (asked.containsAll(entries.keySet())) {
            return List.of();
        }
        var sentences = new ArrayList<String>();
        for (String key : entries.keySet()) {
            if (!asked.contains(key)) {
                String nearest = Nearest.to(key, asked);
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
