package io.gpusched.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/// What a request is answered with.
sealed interface Reply {
    /// A whole body.
    @SuppressWarnings("ArrayRecordComponent") // Sent, never compared.
    record Whole(int status, String type, byte[] body, Map<String, String> headers)
            implements Reply {}

    /// A body that is written while it comes into being.
    record Flowing(String type, Map<String, String> headers, Source source) implements Reply {}

    interface Source {
        void writeTo(OutputStream out) throws IOException;
    }

    String JSON = "application/json";
    String TEXT = "text/plain; charset=utf-8";

    static Reply json(int status, JsonOut body) {
        return new Whole(status, JSON, body.toBytes(), Map.of());
    }

    static Reply ok(JsonOut body) {
        return json(200, body);
    }

    /// `{"message": …}`, for requests that have nothing else to say.
    static Reply message(String text) {
        return ok(new JsonOut().object().field("message", text).endObject());
    }
}
