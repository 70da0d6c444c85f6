package io.gpusched.server.config;

import io.gpusched.core.model.SpellingSuggestion;

import java.util.List;
import java.util.Locale;

/// One setting: its path, default, form, unit and help sentence.
///
/// @param path section and name, `api.http_port`
/// @param usual the default
/// @param unit of a number; empty if it has none
/// @param alias a further environment variable that sets it; empty for none
/// @param secret whether its value is kept out of everything that is printed
public record Setting<T>(
        String path,
        Form<T> form,
        T usual,
        String unit,
        String sentence,
        String alias,
        boolean secret) {

    /// How a value is written, and which values are valid.
    public interface Form<T> {
        /// Parses `text`. Throws an exception that says what was expected.
        T read(String text);
    }

    static Setting<Long> count(
            String path, long usual, long least, long most, String unit, String sentence) {
        return new Setting<>(
                path, text -> whole(text, least, most), usual, unit, sentence, "", false);
    }

    static Setting<Long> port(String path, long usual, String sentence) {
        return count(path, usual, 0, 65_535, "", sentence);
    }

    static Setting<Double> decimal(
            String path, double usual, double least, double most, String unit, String sentence) {
        return new Setting<>(
                path, text -> real(text, least, most), usual, unit, sentence, "", false);
    }

    static Setting<Boolean> flag(String path, boolean usual, String sentence) {
        return new Setting<>(path, Setting::yesOrNo, usual, "", sentence, "", false);
    }

    static Setting<String> text(String path, String usual, String sentence) {
        return new Setting<>(path, text -> text, usual, "", sentence, "", false);
    }

    static Setting<List<String>> list(String path, String sentence) {
        return new Setting<>(path, Setting::items, List.of(), "", sentence, "", false);
    }

    static Setting<List<ListItem>> items(String path, String sentence) {
        return new Setting<>(path, ListItem::list, List.of(), "", sentence, "", false);
    }

    static Setting<String> oneOf(String path, String usual, List<String> choices, String sentence) {
        return new Setting<>(path, text -> choice(text, choices), usual, "", sentence, "", false);
    }

    Setting<T> alsoFrom(String variable) {
        return new Setting<>(path, form, usual, unit, sentence, variable, secret);
    }

    Setting<T> hidden() {
        return new Setting<>(path, form, usual, unit, sentence, alias, true);
    }

    /// `GPU_SCHEDULER_API_HTTP_PORT` for `api.http_port`.
    public String variable() {
        return "GPU_SCHEDULER_" + path.replace('.', '_').toUpperCase(Locale.ROOT);
    }

    private static long whole(String text, long least, long most) {
        try {
            long value = Long.parseLong(text.replace("_", ""));
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            throw new ConfigException(expectedWhole(text, least, most), notANumber);
        }
        throw new ConfigException(
                expectedWhole(text, least, most)
                        + "; the nearest is "
                        + Math.clamp(Long.parseLong(text.replace("_", "")), least, most));
    }

    private static String expectedWhole(String text, long least, long most) {
        return "expected a whole number from %d to %d, found \"%s\"".formatted(least, most, text);
    }

    private static double real(String text, double least, double most) {
        try {
            double value = Double.parseDouble(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            throw new ConfigException(expectedReal(text, least, most), notANumber);
        }
        throw new ConfigException(
                expectedReal(text, least, most) + nearest(Double.parseDouble(text), least, most));
    }

    private static String expectedReal(String text, double least, double most) {
        return "expected a number from %s to %s, found \"%s\"".formatted(least, most, text);
    }

    private static String nearest(double value, double least, double most) {
        return Double.isNaN(value) ? "" : "; the nearest is " + Math.clamp(value, least, most);
    }

    private static boolean yesOrNo(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "yes", "on", "1" -> true;
            case "false", "no", "off", "0" -> false;
            default ->
                    throw new ConfigException(
                            "expected true or false, found \"%s\"".formatted(text));
        };
    }

    private static String choice(String text, List<String> choices) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (choices.contains(lower)) {
            return lower;
        }
        throw new ConfigException(
                "expected one of %s, found \"%s\"; the nearest is %s"
                        .formatted(
                                String.join(", ", choices),
                                text,
                                SpellingSuggestion.closest(lower, choices)));
    }

    private static List<String> items(String text) {
        return List.of(text.split(",", -1)).stream()
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .toList();
    }
}
