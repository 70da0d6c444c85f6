package io.gpusched.agent.notice;

import io.gpusched.wire.request.JsonReader;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.MalformedException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SequencedMap;

/// Reads the JSON that metadata services answer.
final class NoticeJson {
    private static final JsonReader READER = new JsonReader(ProviderHttp.MOST_BYTES);

    private NoticeJson() {}

    static SequencedMap<String, JsonTree> object(String text) throws IOException {
        try {
            return READER.readObject(text.getBytes(StandardCharsets.UTF_8)).entries();
        } catch (MalformedException e) {
            throw new IOException("expected a JSON object as notice: " + e.getMessage(), e);
        }
    }

    /// The text of a key; empty where there is none.
    static String text(SequencedMap<String, JsonTree> object, String key) {
        return object.get(key) instanceof JsonTree.Text(String value) ? value : "";
    }
}
