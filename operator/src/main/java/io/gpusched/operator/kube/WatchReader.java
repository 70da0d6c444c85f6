package io.gpusched.operator.kube;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.Arrays;

/// Reads the changes of a watch, one JSON object in each line. A line longer than any object can be
/// is no reason to use up the memory: the watch fails.
final class WatchReader {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_LINE_BYTES = 8 << 20;
    private static final int FIRST_LINE_BYTES = 1 << 13;
    private static final int BUFFER_BYTES = 1 << 14;
    private static final int USUAL_ERROR = 500;

    private final InputStream in;
    private final String call;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int end;
    private byte[] line = new byte[FIRST_LINE_BYTES];
    private int length;

    /// @param call for messages
    WatchReader(InputStream in, String call) {
        this.in = in;
        this.call = call;
    }

    /// Returns when the server or the listener ends the watch, or when nothing has come for too
    /// long.
    void read(WatchListener listener) throws IOException {
        try {
            while (nextLine()) {
                if (length > 0 && !pass(listener)) {
                    return;
                }
            }
        } catch (SocketTimeoutException e) {
            return; // Begun again by whoever watches; the connection may be dead.
        }
    }

    private boolean pass(WatchListener listener) throws IOException {
        JsonNode event;
        try {
            event = JSON.readTree(line, 0, length);
        } catch (JacksonException e) {
            throw new IOException("a line of the watch is no JSON", e);
        }
        String type = event.path("type").asText("");
        if (type.equals("ERROR")) {
            JsonNode status = event.path("object");
            throw new KubeException(
                    status.path("code").asInt(USUAL_ERROR),
                    status.path("reason").asText(""),
                    call + ": " + status.path("message").asText("the watch failed"));
        }
        return !(event.path("object") instanceof ObjectNode object)
                || listener.changed(type, object);
    }

    /// @return false at the end; a last line that is cut off is dropped
    private boolean nextLine() throws IOException {
        length = 0;
        while (true) {
            if (position == end) {
                position = 0;
                end = Math.max(0, in.read(buffer));
                if (end == 0) {
                    return false;
                }
            }
            int from = position;
            while (position < end && buffer[position] != '\n') {
                position++;
            }
            append(from, position);
            if (position < end) {
                position++;
                return true;
            }
        }
    }

    private void append(int from, int to) throws IOException {
        int count = to - from;
        if (length + count > MOST_LINE_BYTES) {
            throw new IOException(
                    "a line of the watch is longer than " + MOST_LINE_BYTES + " bytes");
        }
        if (length + count > line.length) {
            line = Arrays.copyOf(line, Math.max(2 * line.length, length + count));
        }
        System.arraycopy(buffer, from, line, length, count);
        length += count;
    }
}
