package io.gpusched.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/// The response to a request.
sealed interface Response {
    /// A whole body.
    @SuppressWarnings("ArrayRecordComponent") // Sent, never compared.
    record Complete(int status, String type, byte[] body, Map<String, String> headers)
            implements Response {}

    /// A body that is written while it is produced.
    record Streaming(String type, Map<String, String> headers, Source source) implements Response {}

    interface Source {
        void writeTo(OutputStream out) throws IOException;
    }

    String JSON = "application/json";
    String TEXT = "text/plain; charset=utf-8";

    static Response json(int status, JsonOutput body) {
        return new Complete(status, JSON, body.toBytes(), Map.of());
    }

    static Response ok(JsonOutput body) {
        return json(200, body);
    }

    /// `{"message": …}`, for requests without another result.
    static Response message(String text) {
        return ok(new JsonOutput().object().field("message", text).endObject());
    }
}
