package io.gpusched.server.http;

import io.gpusched.wire.request.JsonReader;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.MalformedException;

import java.util.List;

/// Parses the JSON bodies of requests.
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

    /// The body as an object; throws an [HttpError] that says where it is invalid.
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

    /// The body as an object; throws a [MalformedException] if it is not one.
    JsonTree.Mapping parse(byte[] body) {
        return reader.readObject(body);
    }

    /// Writes the field `warnings` if there are any.
    static void warnings(List<String> warnings, JsonOutput out) {
        if (!warnings.isEmpty()) {
            out.field("warnings", warnings);
        }
    }
}
