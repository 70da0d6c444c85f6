package io.gpusched.server.http;

import io.gpusched.wire.request.JsonReader;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.MalformedException;

import java.util.List;

/// Reads the JSON of requests.
final class RequestBodies {
    private final JsonReader reader;
    private final int mostBytes;

    RequestBodies(int mostBytes) {
        this.reader = new JsonReader(mostBytes);
        this.mostBytes = mostBytes;
    }

    int mostBytes() {
        return mostBytes;
    }

    /// The body as an object, or a fault that says where it is not one.
    JsonTree.Mapping object(Request request) {
        return object(request.body());
    }

    JsonTree.Mapping object(byte[] body) {
        try {
            return parse(body);
        } catch (MalformedException e) {
            throw e.tooLarge()
                    ? HttpError.tooLarge(mostBytes)
                    : HttpError.invalid(
                            e.field(),
                            "Invalid request body: " + e.says(),
                            e.field().isEmpty()
                                    ? "send one JSON object"
                                    : "send one JSON object, each key once, each value as JSON"
                                            + " writes it");
        }
    }

    /// The body as an object; throws [MalformedException] where it is not one.
    JsonTree.Mapping parse(byte[] body) {
        return reader.readObject(body);
    }

    /// Adds what the asker should know all the same, where there is anything.
    static void warnings(List<String> warnings, JsonOutput out) {
        if (!warnings.isEmpty()) {
            out.field("warnings", warnings);
        }
    }
}
