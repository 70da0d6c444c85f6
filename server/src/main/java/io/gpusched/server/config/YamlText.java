package io.gpusched.server.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Writes values as YAML, with quotes only if YAML would read them differently without.
final class YamlText {
    private static final YAMLMapper YAML = new YAMLMapper();

    /// Words, paths and addresses need no quotes unless YAML gives them another meaning. All
    /// defaults match this pattern, so a start without a file needs no YAML parser.
    private static final Pattern PLAIN =
            Pattern.compile(
                    "(?i)(?!(y|n|yes|no|on|off|true|false|null)$)[a-z/][a-z0-9/_.=|-]*"
                            + "|[0-9]+([.][0-9]+){3}");

    private YamlText() {}

    /// The text after a key's colon.
    static String value(Object value) {
        return switch (value) {
            case List<?> list ->
                    list.stream().map(YamlText::item).collect(Collectors.joining(", ", "[", "]"));
            case String text when text.matches("[A-Za-z0-9/_.-]+") && isReadAs(text) -> text;
            case String text -> quoted(text);
            default -> value.toString();
        };
    }

    private static String item(Object item) {
        return item instanceof String text ? entry(text) : item.toString();
    }

    /// The text of a list item. Most words need no quotes; a `*`, a `#` or a colon may need them.
    /// The YAML parser decides: text that it reads back unchanged needs none.
    static String entry(String text) {
        return isReadAs(text) ? text : quoted(text);
    }

    private static boolean isReadAs(String text) {
        if (PLAIN.matcher(text).matches()) {
            return true;
        }
        try {
            JsonNode read = YAML.readTree("[" + text + "]");
            return read.size() == 1 && !read.get(0).isNull() && read.get(0).asText().equals(text);
        } catch (JsonProcessingException notAsItStands) {
            return false;
        }
    }

    /// A quoted JSON string is valid YAML.
    private static String quoted(String text) {
        return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }
}
