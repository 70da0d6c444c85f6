package io.gpusched.wire.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;

import io.gpusched.core.event.Batch;
import io.gpusched.core.model.Check;
import io.gpusched.wire.proto.JournalProto;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;

/// Converts batches to lines of JSON, for people and other programs, and back.
///
///     {"number":42,"term":1,"at":"2025-01-01T00:00:05Z","digest":"00c0ffee00c0ffee",
///      "facts":[{"job_submitted":{…}}],"decided":[{"attempt_placed":{…}}]}
///
/// Fields have the names and the meaning of `journal.proto`, so a new kind of event needs no code
/// here. One thread owns it.
public final class BatchLines {
    private final BatchCodec codec = new BatchCodec();
    private final JsonFactory factory = new JsonFactory();

    /// Writes the batch as one line, with a line end.
    public void write(Batch batch, OutputStream to) throws IOException {
        JournalProto.Batch message = codec.message(batch);
        JsonGenerator out = factory.createGenerator(to);
        out.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        out.disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
        out.writeStartObject();
        out.writeNumberField("number", batch.number());
        out.writeNumberField("term", batch.term());
        out.writeStringField("at", batch.at().toString());
        out.writeStringField("digest", "%016x".formatted(batch.digest()));
        out.writeArrayFieldStart("facts");
        for (var event : message.getFactsList()) {
            JsonForm.write(event, out);
        }
        out.writeEndArray();
        out.writeArrayFieldStart("decided");
        for (var event : message.getDecidedList()) {
            JsonForm.write(event, out);
        }
        out.writeEndArray();
        out.writeEndObject();
        out.close();
        to.write('\n');
    }

    /// Reads a line of [#write]. Throws [UnreadableException] with the reason if it is invalid.
    public Batch read(byte[] line, int length) {
        var message = JournalProto.Batch.newBuilder();
        try (JsonParser in = factory.createParser(line, 0, length)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new UnreadableException("expected one JSON object, found something else");
            }
            int keys = 0;
            while (in.nextToken() != JsonToken.END_OBJECT) {
                keys |= field(in.currentName(), in, message);
            }
            if (keys != ALL_KEYS) {
                throw new UnreadableException(
                        "expected number, term, at, digest, facts and decided, found only some");
            }
            if (in.nextToken() != null) {
                throw new UnreadableException("expected nothing after the object");
            }
            return codec.batch(message.build());
        } catch (JsonProcessingException e) {
            throw new UnreadableException("not valid JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Check.Broken | DateTimeException | ArithmeticException e) {
            throw new UnreadableException("a batch cannot be read: " + e.getMessage(), e);
        }
    }

    private static final int ALL_KEYS = 63;

    private static int field(String name, JsonParser in, JournalProto.Batch.Builder to)
            throws IOException {
        in.nextToken();
        switch (name) {
            case "number" -> to.setNumber(in.getLongValue());
            case "term" -> to.setTerm(in.getLongValue());
            case "at" -> to.setAtMicros(TimeCodec.micros(Instant.parse(in.getText())));
            case "digest" -> to.setDigest(digest(in.getText()));
            case "facts" -> events(in, true, to);
            case "decided" -> events(in, false, to);
            default ->
                    throw new UnreadableException(
                            "expected number, term, at, digest, facts or decided, found \""
                                    + name
                                    + "\"");
        }
        return switch (name) {
            case "number" -> 1;
            case "term" -> 2;
            case "at" -> 4;
            case "digest" -> 8;
            case "facts" -> 16;
            default -> 32;
        };
    }

    private static long digest(String hex) {
        try {
            return Long.parseUnsignedLong(hex, 16);
        } catch (NumberFormatException e) {
            throw new UnreadableException(
                    "expected a digest of 16 hexadecimal digits, found \"" + hex + "\"", e);
        }
    }

    private static void events(JsonParser in, boolean facts, JournalProto.Batch.Builder to)
            throws IOException {
        if (in.currentToken() != JsonToken.START_ARRAY) {
            throw new UnreadableException("expected a list of events, found " + in.getText());
        }
        while (in.nextToken() != JsonToken.END_ARRAY) {
            var event = JournalProto.Event.newBuilder();
            JsonForm.read(in, event);
            if (facts) {
                to.addFacts(event);
            } else {
                to.addDecided(event);
            }
        }
    }
}
