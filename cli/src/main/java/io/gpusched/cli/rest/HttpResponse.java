package io.gpusched.cli.rest;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.json.JsonFault;
import io.gpusched.cli.json.JsonParser;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// A response of the server: status and body, not parsed yet.
record HttpResponse(int status, String location, String body) {
    private static final int SHOWN = 200;

    static HttpResponse of(int status, String location, byte[] body) throws IOException {
        try {
            var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
            return new HttpResponse(status, location, text.toString());
        } catch (CharacterCodingException e) {
            throw new IOException("status " + status + " with a body that is not UTF-8", e);
        }
    }

    /// The JSON body of a success. Throws `RequestRefused` or `Unreachable` for anything else.
    Json json() {
        if (status >= 300 && status < 400) {
            throw new Unreachable(
                    "the server redirects to " + location + "; give that address with --api-url");
        }
        if (status >= 400) {
            throw refusal();
        }
        return body.isBlank() ? Json.Nil.NIL : read();
    }

    private RequestRefused refusal() {
        try {
            return RequestRefused.by(status, JsonParser.read(body), "");
        } catch (JsonFault notOurs) {
            return RequestRefused.by(status, Json.Nil.NIL, body);
        }
    }

    private Json read() {
        try {
            return JsonParser.read(body);
        } catch (JsonFault notOurs) {
            throw new Unreachable(
                    "the answer is not JSON (%s): %s; is --api-url the address of a gpu-scheduler?"
                            .formatted(notOurs.getMessage(), excerpt(body)),
                    notOurs);
        }
    }

    /// The beginning of a body that is not JSON, on one line.
    static String excerpt(String raw) {
        String line = raw.strip().replaceAll("\\s+", " ");
        return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "...";
    }
}
