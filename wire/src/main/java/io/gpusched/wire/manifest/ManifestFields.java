package io.gpusched.wire.manifest;

import io.gpusched.core.event.Problem;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.RequestFields;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the fields of one object of a manifest. Everything is optional: an object that is absent
/// has no fields. Numbers may be texts and texts numbers.
final class ManifestFields {
    private static final Pattern PART =
            Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?)(ns|us|µs|ms|s|m|h|d|w)");
    private static final Pattern QUANTITY =
            Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,9})?)\\s*([kKMGTP]?)(i?)[Bb]?");
    private static final BigDecimal LONGEST_SECONDS = BigDecimal.valueOf(366L * 86_400);
    private static final int LONGEST = 16_384;

    private final RequestFields fields;
    private final Notes notes;

    private ManifestFields(RequestFields fields, Notes notes) {
        this.fields = fields;
        this.notes = notes;
    }

    /// What is said about a manifest.
    ///
    /// @param unknown about fields that nothing reads
    record Notes(List<Problem> problems, List<String> warnings, List<String> unknown) {
        static Notes none() {
            return new Notes(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        }
    }

    static ManifestFields of(JsonTree.Mapping tree, Notes notes) {
        return new ManifestFields(RequestFields.withQuotedNumbers("", tree, notes.problems), notes);
    }

    RequestFields fields() {
        return fields;
    }

    boolean has(String key) {
        return fields.has(key);
    }

    /// Whether the object of this name is there and not switched off with `enabled: false`.
    boolean isEnabled(String key) {
        return fields.value(key) instanceof JsonTree.Mapping object
                && !object.entries()
                        .getOrDefault("enabled", new JsonTree.Flag(true))
                        .equals(new JsonTree.Flag(false));
    }

    /// The fields of an object; no fields if there is none.
    ManifestFields object(String key) {
        RequestFields found = fields.object(key);
        var none = new JsonTree.Mapping(new LinkedHashMap<>());
        return new ManifestFields(
                found != null
                        ? found
                        : RequestFields.withQuotedNumbers(
                                fields.path() + key + ".", none, new ArrayList<>()),
                notes);
    }

    List<ManifestFields> objects(String key) {
        return fields.objects(key, 64).stream()
                .map(each -> new ManifestFields(each, notes))
                .toList();
    }

    /// A text, also one that is written as a number or a flag; empty if it is absent.
    String text(String key) {
        return switch (fields.value(key)) {
            case null -> "";
            case JsonTree.Whole(long number) -> Long.toString(number);
            case JsonTree.Fraction(double number) -> Double.toString(number);
            case JsonTree.Huge(String digits) -> digits;
            case JsonTree.Flag(boolean flag) -> Boolean.toString(flag);
            case JsonTree.Text _, JsonTree.Nothing _, JsonTree.Items _, JsonTree.Mapping _ ->
                    fields.text(key, "", LONGEST);
        };
    }

    List<String> texts(String key) {
        return fields.textOrTexts(key, 10_000, 253);
    }

    boolean flag(String key, boolean absent) {
        return fields.flag(key, absent);
    }

    /// A duration as Go writes it (`1h30m`, `500ms`), also with days and weeks (`7d`), or a number
    /// of seconds.
    Duration duration(String key, Duration absent) {
        String text = text(key).strip();
        if (text.isEmpty()) {
            return absent;
        }
        Duration found = duration(text);
        if (found == null) {
            fields.problem(
                    key,
                    key + " must be a duration, found " + new JsonTree.Text(text).shown(),
                    "write for example 500ms, 30s, 5m, 1h30m or 7d; at most 366d");
            return absent;
        }
        return found;
    }

    static @Nullable Duration duration(String text) {
        BigDecimal seconds = BigDecimal.ZERO;
        if (text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
            seconds = new BigDecimal(text);
        } else {
            Matcher part = PART.matcher(text);
            int at = 0;
            while (part.find() && part.start() == at) {
                seconds = seconds.add(new BigDecimal(part.group(1)).multiply(unit(part.group(2))));
                at = part.end();
            }
            if (at == 0 || at < text.length()) {
                return null;
            }
        }
        return seconds.compareTo(LONGEST_SECONDS) > 0
                ? null
                : Duration.ofNanos(seconds.movePointRight(9).longValue());
    }

    private static BigDecimal unit(String name) {
        return switch (name) {
            case "ns" -> new BigDecimal("1e-9");
            case "us", "µs" -> new BigDecimal("1e-6");
            case "ms" -> new BigDecimal("0.001");
            case "m" -> BigDecimal.valueOf(60);
            case "h" -> BigDecimal.valueOf(3_600);
            case "d" -> BigDecimal.valueOf(86_400);
            case "w" -> BigDecimal.valueOf(604_800);
            default -> BigDecimal.ONE;
        };
    }

    /// A size in bytes, such as `40Gi`, `140GB` or `1.3Gi`; 0 if it is absent.
    long bytes(String key) {
        String text = text(key).strip();
        if (text.isEmpty()) {
            return 0;
        }
        Matcher parts = QUANTITY.matcher(text);
        BigDecimal bytes =
                parts.matches()
                        ? new BigDecimal(parts.group(1))
                                .multiply(scale(parts.group(2), parts.group(3)))
                        : BigDecimal.valueOf(-1);
        if (bytes.signum() < 0 || bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            fields.problem(
                    key,
                    key + " must be a size, found " + new JsonTree.Text(text).shown(),
                    "write for example 40Gi or 140GB");
            return 0;
        }
        return bytes.longValue();
    }

    private static BigDecimal scale(String prefix, String binary) {
        int power =
                " KMGTP".indexOf(prefix.isEmpty() ? ' ' : Character.toUpperCase(prefix.charAt(0)));
        return BigDecimal.valueOf(binary.isEmpty() ? 1_000 : 1_024).pow(power);
    }

    /// Reads a field that has no effect here and says so if it is there.
    void without(String key, String why) {
        fields.value(key);
        if (fields.has(key)) {
            warn(key, "is accepted and has no effect: " + why);
        }
    }

    void warn(String key, String words) {
        notes.warnings.add(fields.path() + key + " " + words);
    }

    /// Reads fields that need no warning.
    void skip(Set<String> keys) {
        keys.forEach(fields::value);
    }

    /// Notes every field that was never read.
    void end() {
        notes.unknown.addAll(fields.unknown());
    }
}
