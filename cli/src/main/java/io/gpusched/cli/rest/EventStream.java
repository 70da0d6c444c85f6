package io.gpusched.cli.rest;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.json.JsonFault;
import io.gpusched.cli.json.JsonParser;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;

/// Server-Sent Events from an open connection. One thread reads; any thread may close.
public final class EventStream implements AutoCloseable {
    static final String TYPE = "text/event-stream";

    private final String url;
    private final HttpURLConnection connection;
    private final BufferedReader lines;

    EventStream(String url, HttpURLConnection connection, InputStream in) {
        this.url = url;
        this.connection = connection;
        this.lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    /// The next message; null when the server has ended the stream. Throws `Unreachable` if the
    /// connection breaks or is silent for longer than the server's sign of life allows.
    public @Nullable ServerEvent next() {
        try {
            String id = "";
            String kind = "";
            var data = new StringBuilder();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isEmpty()) {
                    String value = value(line);
                    switch (name(line)) {
                        case "id" -> id = value;
                        case "event" -> kind = value;
                        case "data" -> data.append(data.isEmpty() ? "" : "\n").append(value);
                        default -> {}
                    }
                } else if (!id.isEmpty() || !data.isEmpty()) {
                    return new ServerEvent(id, kind, parsed(data.toString()));
                }
            }
            return null;
        } catch (IOException e) {
            throw Unreachable.because(url, e);
        }
    }

    private static String name(String line) {
        int colon = line.indexOf(':');
        return colon < 0 ? line : line.substring(0, colon);
    }

    private static String value(String line) {
        int colon = line.indexOf(':');
        String value = colon < 0 ? "" : line.substring(colon + 1);
        return value.startsWith(" ") ? value.substring(1) : value;
    }

    private static Json parsed(String data) throws IOException {
        try {
            return data.isEmpty() ? Json.Nil.NIL : JsonParser.read(data);
        } catch (JsonFault fault) {
            throw new IOException("an event is not JSON: " + HttpResponse.excerpt(data), fault);
        }
    }

    @Override
    public void close() {
        connection.disconnect();
    }
}
