package io.gpusched.cli.rest;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.json.JsonFault;
import io.gpusched.cli.json.JsonReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// What came back: a status and bytes, not yet understood.
record Answer(int status, String location, byte[] body) {
    private static final int SHOWN = 200;

    /// The JSON of a success; anything else is thrown as the refusal or the surprise that it is.
    Json understood() {
        if (status >= 300 && status < 400) {
            throw new Unreachable(
                    "the server sends us to " + location + "; give that address as --api-url");
        }
        if (status >= 400) {
            throw refusal();
        }
        return body.length == 0 ? Json.Nil.NIL : read();
    }

    private Refused refusal() {
        String raw = new String(body, StandardCharsets.UTF_8);
        try {
            return Refused.by(status, JsonReader.read(raw), "");
        } catch (JsonFault notOurs) {
            return Refused.by(status, Json.Nil.NIL, raw);
        }
    }

    private Json read() {
        try {
            return JsonReader.read(
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString());
        } catch (CharacterCodingException | JsonFault notOurs) {
            throw new Unreachable(
                    "the answer is not JSON (%s): %s; is --api-url the address of a gpu-scheduler?"
                            .formatted(
                                    notOurs.getMessage(),
                                    excerpt(new String(body, StandardCharsets.UTF_8))),
                    notOurs);
        }
    }

    /// The beginning of a foreign body on one line.
    static String excerpt(String raw) {
        String line = raw.strip().replaceAll("\\s+", " ");
        return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "...";
    }
}
