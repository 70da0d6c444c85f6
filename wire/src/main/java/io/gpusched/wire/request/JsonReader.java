package io.gpusched.wire.request;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;

import java.io.IOException;

/// Parses strict JSON: no comments, no NaN, no repeated keys, nothing after the value. Size and
/// depth are bounded by what a request can need.
public final class JsonReader {
    /// Far deeper than any request.
    public static final int DEEPEST = 32;

    private static final int LONGEST_NUMBER = 64;

    private final int mostBytes;
    private final JsonFactory factory;

    public JsonReader(int mostBytes) {
        this.mostBytes = mostBytes;
        this.factory =
                JsonFactory.builder()
                        // A buffer per thread would be lost with each virtual thread.
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
    public JsonTree read(byte[] bytes) {
        if (bytes.length > mostBytes) {
            throw new MalformedException(
                    "expected at most " + mostBytes + " bytes, found " + bytes.length,
                    null,
                    "",
                    true);
        }
        try (JsonParser parser = factory.createParser(bytes)) {
            return new JsonValues(parser).all();
        } catch (IOException e) {
            throw new MalformedException("not valid JSON: " + e.getMessage(), e, "");
        }
    }

    /// The same, for a value that must be an object.
    public JsonTree.Mapping readObject(byte[] bytes) {
        if (read(bytes) instanceof JsonTree.Mapping mapping) {
            return mapping;
        }
        throw new MalformedException(
                "expected a JSON object such as {\"name\": \"…\"}, found another value", null, "");
    }
}
