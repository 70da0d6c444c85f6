package io.gpusched.wire.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;

import io.gpusched.wire.request.JsonReader;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.MalformedException;

import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.MarkedYAMLException;

import java.io.CharConversionException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// Parses YAML documents, or JSON, into trees. Aliases are refused, because a few of them can stand
/// for a very large text; so are tags and repeated keys. Only a part of a manifest may repeat its
/// own fields, as guides do that print a bad and a good variant in one block.
final class YamlDocuments {
    /// The most documents of one text.
    static final int MOST_DOCUMENTS = 1_000;

    private static final String A_TAG = "a tag (!…); remove it";

    private final int mostBytes;
    private final YAMLFactory factory;

    YamlDocuments(int mostBytes) {
        this.mostBytes = mostBytes;
        var options = new LoaderOptions();
        options.setCodePointLimit(mostBytes);
        options.setNestingDepthLimit(JsonReader.DEEPEST);
        this.factory =
                YAMLFactory.builder()
                        .loaderOptions(options)
                        .streamReadConstraints(
                                StreamReadConstraints.builder()
                                        .maxNestingDepth(JsonReader.DEEPEST)
                                        .maxStringLength(mostBytes)
                                        .maxNumberLength(64)
                                        .maxNameLength(1024)
                                        .build())
                        .build();
    }

    /// @param repeated fields at the top that were written more than once; the last one is in the
    ///        tree
    record Document(JsonTree tree, Set<String> repeated) {}

    /// Throws [MalformedException], with the line, unless the text is valid.
    List<Document> read(byte[] bytes) {
        if (bytes.length > mostBytes) {
            throw new MalformedException(
                    "expected at most " + mostBytes + " bytes, found " + bytes.length,
                    null,
                    "",
                    true);
        }
        if (looksLikeJson(bytes)) {
            return List.of(new Document(new JsonReader(mostBytes).read(bytes), Set.of()));
        }
        try (YAMLParser parser = factory.createParser(bytes)) {
            return documents(parser);
        } catch (JsonProcessingException e) {
            throw new MalformedException("not valid YAML" + why(e), e, "");
        } catch (IOException e) {
            throw new MalformedException("not valid YAML: " + e.getMessage(), e, "");
        }
    }

    private static boolean looksLikeJson(byte[] bytes) {
        for (byte each : bytes) {
            if (each != ' ' && each != '\n' && each != '\r' && each != '\t') {
                return each == '{' || each == '[';
            }
        }
        return false;
    }

    private static List<Document> documents(YAMLParser parser) throws IOException {
        var all = new ArrayList<Document>();
        while (parser.nextToken() != null) {
            var repeated = new LinkedHashSet<String>();
            boolean object = parser.currentToken() == JsonToken.START_OBJECT;
            JsonTree tree = object ? part(parser, repeated) : value(parser);
            boolean empty =
                    tree instanceof JsonTree.Nothing
                            || tree instanceof JsonTree.Text(String text) && text.isBlank();
            if (!empty) {
                all.add(new Document(tree, repeated));
            }
            if (all.size() > MOST_DOCUMENTS) {
                throw malformed(parser, "more than " + MOST_DOCUMENTS + " documents");
            }
        }
        return all;
    }

    private static JsonTree value(YAMLParser parser) throws IOException {
        if (parser.isCurrentAlias()) {
            throw malformed(
                    parser, "an alias (*" + parser.getText() + "); write the value out instead");
        }
        if (parser.getTypeId() != null) {
            throw malformed(parser, A_TAG);
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping(parser);
            case START_ARRAY -> items(parser);
            case VALUE_NUMBER_INT -> whole(parser);
            case VALUE_NUMBER_FLOAT -> fraction(parser);
            case VALUE_TRUE -> new JsonTree.Flag(true);
            case VALUE_FALSE -> new JsonTree.Flag(false);
            case VALUE_NULL -> new JsonTree.Nothing();
            case VALUE_STRING, VALUE_EMBEDDED_OBJECT -> new JsonTree.Text(parser.getText());
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME ->
                    throw malformed(parser, "no value where one was expected");
        };
    }

    /// The object at the top of a document.
    private static JsonTree part(YAMLParser parser, Set<String> repeated) throws IOException {
        if (parser.getTypeId() != null) {
            throw malformed(parser, A_TAG);
        }
        return mapping(parser, ManifestPart::isField, repeated);
    }

    private static JsonTree mapping(YAMLParser parser) throws IOException {
        return mapping(parser, key -> false, new LinkedHashSet<>());
    }

    /// @param mayRepeat fields that may be written again, if the object has no `kind`
    /// @param repeated takes those that were
    private static JsonTree mapping(
            YAMLParser parser, Predicate<String> mayRepeat, Set<String> repeated)
            throws IOException {
        var entries = new LinkedHashMap<String, JsonTree>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            if (parser.isCurrentAlias()) {
                throw malformed(parser, "an alias as a key; write the key out instead");
            }
            String key = parser.currentName();
            parser.nextToken();
            if (entries.put(key, value(parser)) != null) {
                repeated.add(key);
            }
            if (!repeated.isEmpty()
                    && (entries.containsKey("kind") || !repeated.stream().allMatch(mayRepeat))) {
                throw malformed(
                        parser,
                        "the key \"%s\" twice; remove one of them"
                                .formatted(String.join("\" and \"", repeated)));
            }
        }
        return new JsonTree.Mapping(entries);
    }

    private static JsonTree items(YAMLParser parser) throws IOException {
        var all = new ArrayList<JsonTree>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            all.add(value(parser));
        }
        return new JsonTree.Items(all);
    }

    private static JsonTree whole(YAMLParser parser) throws IOException {
        return switch (parser.getNumberType()) {
            case INT, LONG -> new JsonTree.Whole(parser.getLongValue());
            case BIG_INTEGER, FLOAT, DOUBLE, BIG_DECIMAL -> new JsonTree.Huge(parser.getText());
        };
    }

    private static JsonTree fraction(YAMLParser parser) throws IOException {
        double value = parser.getDoubleValue();
        if (!Double.isFinite(value)) {
            return new JsonTree.Text(parser.getText());
        }
        long whole = (long) value;
        return whole == value && Math.abs(value) < 1L << 53
                ? new JsonTree.Whole(whole)
                : new JsonTree.Fraction(value);
    }

    private static MalformedException malformed(YAMLParser parser, String found) {
        return new MalformedException(
                "not acceptable YAML at line %d: found %s"
                        .formatted(parser.currentLocation().getLineNr(), found),
                null,
                "");
    }

    /// The line and what is wrong there.
    private static String why(JsonProcessingException e) {
        Throwable cause = e.getCause();
        if (cause instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
            int line = marked.getProblemMark().getLine() + 1;
            return " at line " + line + ": " + marked.getProblem();
        }
        if (cause != null && cause.getCause() instanceof CharConversionException) {
            return ": it is not text in UTF-8";
        }
        String limit = e instanceof StreamConstraintsException ? ", from `[^`]*`" : "\\R.*";
        return ": " + String.valueOf(e.getOriginalMessage()).replaceAll(limit, "");
    }
}
