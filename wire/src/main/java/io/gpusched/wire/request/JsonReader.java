package io.gpusched.wire.request;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.regex.Pattern;

/// Reads JSON as the standard has it and nothing beyond: no comments, no NaN, no key twice, no
/// second value after the first; and not more of it, or deeper, than a request can need.
public final class JsonReader {
    /// Deeper than any request of ours by far.
    public static final int DEEPEST = 32;

    private static final int LONGEST_NUMBER = 64;

    private static final Pattern PLACE =
            Pattern.compile("\\[Source: [^;]*; line: (\\d+), column: (\\d+)]");
    private static final Pattern SETTING =
            Pattern.compile(
                    "(,? from|: enable)? ?`[^`]*`( to allow.*)?| \\(not recognized [^)]*\\)");

    private final int mostBytes;
    private final JsonFactory factory;

    public JsonReader(int mostBytes) {
        this.mostBytes = mostBytes;
        this.factory =
                JsonFactory.builder()
                        // Buffers per thread would be lost with each virtual thread.
                        .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
                        .streamReadConstraints(
                                StreamReadConstraints.builder()
                                        .maxNestingDepth(DEEPEST)
                                        .maxNumberLength(LONGEST_NUMBER)
                                        .maxStringLength(mostBytes)
                                        .maxNameLength(1024)
                                        .build())
                        .build();
    }

    /// Throws [MalformedException] unless the bytes are one JSON value.
    public Tree read(byte[] bytes) {
        if (bytes.length > mostBytes) {
            throw new MalformedException(
                    "expected at most " + mostBytes + " bytes, found " + bytes.length, null, true);
        }
        try (JsonParser parser = factory.createParser(bytes)) {
            if (parser.nextToken() == null) {
                throw new MalformedException("expected a JSON object, found nothing", null);
            }
            Tree tree = value(parser);
            if (parser.nextToken() != null) {
                throw malformed(parser, "something follows after the end of the value");
            }
            return tree;
        } catch (JsonProcessingException e) {
            var at = e.getLocation();
            String where =
                    at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
            throw new MalformedException("not valid JSON" + where + ": " + firstLine(e), e);
        } catch (IOException e) {
            throw new MalformedException("not valid JSON: " + e.getMessage(), e);
        }
    }

    /// The same, for a value that must be an object.
    public Tree.Mapping readObject(byte[] bytes) {
        if (read(bytes) instanceof Tree.Mapping mapping) {
            return mapping;
        }
        throw new MalformedException(
                "expected a JSON object such as {\"name\": \"…\"}, found another value", null);
    }

    private static Tree value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping(parser);
            case START_ARRAY -> items(parser);
            case VALUE_STRING -> new Tree.Text(legible(parser, parser.getText()));
            case VALUE_NUMBER_INT -> whole(parser);
            case VALUE_NUMBER_FLOAT -> fraction(parser);
            case VALUE_TRUE -> new Tree.Flag(true);
            case VALUE_FALSE -> new Tree.Flag(false);
            case VALUE_NULL -> new Tree.Nothing();
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                    throw malformed(parser, "expected a value");
        };
    }

    private static Tree mapping(JsonParser parser) throws IOException {
        var entries = new LinkedHashMap<String, Tree>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = legible(parser, parser.currentName());
            parser.nextToken();
            if (entries.put(key, value(parser)) != null) {
                throw malformed(parser, "the key \"" + key + "\" is there twice");
            }
        }
        return new Tree.Mapping(entries);
    }

    private static Tree items(JsonParser parser) throws IOException {
        var all = new ArrayList<Tree>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            all.add(value(parser));
        }
        return new Tree.Items(all);
    }

    private static Tree whole(JsonParser parser) throws IOException {
        return switch (parser.getNumberType()) {
            case INT, LONG -> new Tree.Whole(parser.getLongValue());
            case BIG_INTEGER, FLOAT, DOUBLE, BIG_DECIMAL -> new Tree.Huge(parser.getText());
        };
    }

    /// 4.0 and 4e0 are the whole number 4.
    private static Tree fraction(JsonParser parser) throws IOException {
        double value = parser.getDoubleValue();
        if (!Double.isFinite(value)) {
            return new Tree.Huge(parser.getText());
        }
        long whole = (long) value;
        return whole == value && Math.abs(value) < 1L << 53
                ? new Tree.Whole(whole)
                : new Tree.Fraction(value);
    }

    /// Half a surrogate pair cannot be written down again.
    private static String legible(JsonParser parser, String text) {
        int i = 0;
        while (i < text.length()) {
            int point = text.codePointAt(i);
            if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                throw malformed(parser, "a text holds half of a surrogate pair");
            }
            i += Character.charCount(point);
        }
        return text;
    }

    private static MalformedException malformed(JsonParser parser, String what) {
        var at = parser.currentLocation();
        return new MalformedException(
                "not acceptable JSON at line %s, column %s: %s"
                        .formatted(at.getLineNr(), at.getColumnNr(), what),
                null);
    }

    /// Without what only programmers of the library understand.
    private static String plain(String message) {
        String placed = PLACE.matcher(message).replaceAll("line $1, column $2");
        return SETTING.matcher(placed)
                .replaceAll("")
                .replace("VALUE_STRING", "a text")
                .replace("FIELD_NAME", "a name");
    }

    private static String firstLine(JsonProcessingException e) {
        String message = String.valueOf(e.getOriginalMessage());
        int end = message.indexOf('\n');
        return plain(end < 0 ? message : message.substring(0, end));
    }
}
