package io.gpusched.server.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import io.gpusched.core.model.SpellingSuggestion;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/// One item of a list of settings, with fields of its own. It is written in the one-line form of
/// YAML, also in an environment variable:
///
///     {name: quiet-nodes, weight: 5}, {name: no-mondays}
///
/// A bare word is the item's name.
record ListItem(SequencedMap<String, String> fields) {
    private static final YAMLMapper YAML = new YAMLMapper();

    ListItem {
        fields = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(fields));
    }

    /// Reads items that are separated by commas.
    static List<ListItem> list(String text) {
        JsonNode tree;
        try {
            tree = YAML.readTree("[" + text + "]");
        } catch (JsonProcessingException e) {
            throw new ConfigException(expected(text), e);
        }
        var items = new ArrayList<ListItem>();
        for (JsonNode node : tree) {
            items.add(of(node, text));
        }
        return List.copyOf(items);
    }

    private static ListItem of(JsonNode node, String text) {
        var fields = new LinkedHashMap<String, String>();
        if (node.isValueNode()) {
            fields.put("name", node.asText());
            return new ListItem(fields);
        }
        if (!node.isObject()) {
            throw new ConfigException(expected(text));
        }
        node.properties().forEach(field -> fields.put(field.getKey(), field.getValue().asText()));
        return new ListItem(fields);
    }

    private static String expected(String text) {
        return "expected items such as {name: some-name, weight: 5}, found \"%s\"".formatted(text);
    }

    String text(String key) {
        String found = fields.getOrDefault(key, "");
        if (found.isBlank()) {
            throw new ConfigException("expected %s: in %s, found none".formatted(key, this));
        }
        return found;
    }

    double decimal(String key, double absent) {
        String found = fields.get(key);
        if (found == null) {
            return absent;
        }
        try {
            double value = Double.parseDouble(found);
            if (value >= 0 && value <= 1e6) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            throw new ConfigException(
                    "expected a number for %s in %s, found \"%s\"".formatted(key, this, found),
                    notANumber);
        }
        throw new ConfigException(
                "expected a number from 0 to 1000000 for %s in %s, found %s; the nearest is %s"
                        .formatted(key, this, found, found.startsWith("-") ? "0" : "1000000"));
    }

    boolean flag(String key) {
        String found = fields.getOrDefault(key, "false");
        if (!List.of("true", "false").contains(found)) {
            throw new ConfigException(
                    "expected true or false for %s in %s, found \"%s\""
                            .formatted(key, this, found));
        }
        return found.equals("true");
    }

    /// Throws a [ConfigException] if there are other fields than these.
    void only(Collection<String> known) {
        for (String key : fields.keySet()) {
            if (!known.contains(key)) {
                throw new ConfigException(
                        "there is no %s in %s; the nearest is %s"
                                .formatted(key, this, SpellingSuggestion.closest(key, known)));
            }
        }
    }

    @Override
    public String toString() {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + ": " + YamlText.entry(field.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
