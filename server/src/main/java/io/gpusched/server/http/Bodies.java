package io.gpusched.server.http;

import io.gpusched.wire.request.JsonReader;
import io.gpusched.wire.request.MalformedException;
import io.gpusched.wire.request.Tree;

import java.util.List;

/// Reads the JSON of requests.
final class Bodies {
    private final JsonReader reader;
    private final int mostBytes;

    Bodies(int mostBytes) {
        this.reader = new JsonReader(mostBytes);
        this.mostBytes = mostBytes;
    }

    /// The body as an object, or a fault that says where it is not one.
    Tree.Mapping object(Asked asked) {
        return object(asked.body());
    }

    Tree.Mapping object(byte[] body) {
        try {
            return reader.readObject(body);
        } catch (MalformedException e) {
            throw e.tooLarge()
                    ? Fault.tooLarge(mostBytes)
                    : Fault.invalid(
                            "", "Invalid request body: " + e.says(), "send one JSON object");
        }
    }

    /// Adds what the asker should know all the same, where there is anything.
    static void warnings(List<String> warnings, JsonOut out) {
        if (!warnings.isEmpty()) {
            out.field("warnings", warnings);
        }
    }
}
