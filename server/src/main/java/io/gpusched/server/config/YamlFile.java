package io.gpusched.server.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;

/// Reads a YAML file of sections and keys into [SettingValues]. Nesting becomes a dotted path, a
/// list becomes its items separated by commas, and a key that is written twice is an error.
final class YamlFile {
    private final Path file;
    private final SettingValues settingValues;

    private YamlFile(Path file, SettingValues settingValues) {
        this.file = file;
        this.settingValues = settingValues;
    }

    static void read(Path file, SettingValues into) {
        if (!Files.isReadable(file)) {
            throw new ConfigException(
                    "--config %s: expected a readable file, found none".formatted(file));
        }
        try (JsonParser parser =
                new YAMLFactory()
                        .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                        .createParser(file.toFile())) {
            new YamlFile(file, into).document(parser);
        } catch (JsonProcessingException e) {
            throw new ConfigException(
                    "%s: not valid YAML at line %d: %s"
                            .formatted(file, e.getLocation().getLineNr(), e.getOriginalMessage()),
                    e);
        } catch (IOException e) {
            throw new ConfigException("%s: cannot be read (%s)".formatted(file, e.getMessage()), e);
        }
    }

    private void document(JsonParser parser) throws IOException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            return;
        }
        if (first != JsonToken.START_OBJECT) {
            throw new ConfigException(
                    "%s: expected sections with keys, found a single value".formatted(file));
        }
        section(parser, "");
    }

    /// Reads a section; false if it is empty.
    private boolean section(JsonParser parser, String prefix) throws IOException {
        boolean filled = false;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            filled = true;
            String path = prefix + parser.currentName();
            String where = "line " + parser.currentTokenLocation().getLineNr() + " of " + file;
            switch (parser.nextToken()) {
                case START_OBJECT -> {
                    if (!section(parser, path + ".")) {
                        settingValues.leaveEmpty(path, where);
                    }
                }
                case START_ARRAY -> settingValues.put(path, items(parser, where), where);
                case VALUE_NULL -> settingValues.leaveEmpty(path, where);
                default -> settingValues.put(path, parser.getText(), where);
            }
        }
        return filled;
    }

    private static ListItem fields(JsonParser parser, String where) throws IOException {
        var fields = new LinkedHashMap<String, String>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            fields.put(name, plain(parser, where));
        }
        return new ListItem(fields);
    }

    private static String plain(JsonParser parser, String where) throws IOException {
        if (!parser.currentToken().isScalarValue()) {
            throw new ConfigException(
                    "%s: expected a list of plain values, or of fields with plain values"
                            .formatted(where));
        }
        return parser.getText();
    }

    private static String items(JsonParser parser, String where) throws IOException {
        var items = new ArrayList<String>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() == JsonToken.START_OBJECT) {
                items.add(fields(parser, where).toString());
            } else {
                items.add(plain(parser, where));
            }
        }
        return String.join(",", items);
    }
}
