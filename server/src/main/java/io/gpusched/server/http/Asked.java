package io.gpusched.server.http;

import io.gpusched.server.auth.Caller;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/// A request that was let in: who asks, and what the route's path and query say.
final class Asked {
    private static final byte[] NOTHING = new byte[0];

    private final ServerRequest request;
    private final Caller caller;
    private final Map<String, String> path;
    private final int mostBytes;

    Asked(ServerRequest request, Caller caller, Map<String, String> path, int mostBytes) {
        this.request = request;
        this.caller = caller;
        this.path = path;
        this.mostBytes = mostBytes;
    }

    Caller caller() {
        return caller;
    }

    /// What stands in the path where the route says `{name}`.
    String path(String name) {
        return path.getOrDefault(name, "");
    }

    /// The value of a query parameter; empty when it is absent.
    String query(String name) {
        return request.query().first(name).orElse("");
    }

    List<String> queryNames() {
        return List.copyOf(request.query().names());
    }

    /// A whole number of the query within bounds, or a fault that names it.
    long number(String name, long usual, long least, long most) {
        String text = query(name);
        if (text.isEmpty()) {
            return usual;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            throw outOfBounds(name, text, least, most);
        }
        throw outOfBounds(name, text, least, most);
    }

    boolean flag(String name) {
        return switch (query(name)) {
            case "", "false", "0" -> false;
            case "true", "1" -> true;
            default ->
                    throw Fault.invalid(
                            name, name + " is \"" + query(name) + "\"", "write true or false");
        };
    }

    String header(String name) {
        return request.headers().value(HeaderNames.create(name)).orElse("");
    }

    boolean accepts(String type) {
        return header("Accept").contains(type);
    }

    /// The whole body; empty when there is none.
    byte[] body() {
        if (!request.content().hasEntity()) {
            return NOTHING;
        }
        try (InputStream in = request.content().inputStream()) {
            byte[] body = in.readNBytes(mostBytes + 1);
            if (body.length > mostBytes) {
                throw Fault.tooLarge(mostBytes);
            }
            return body;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Fault outOfBounds(String name, String text, long least, long most) {
        return Fault.invalid(
                name,
                "%s is \"%s\"".formatted(name, text),
                "write a whole number from %d to %d".formatted(least, most));
    }
}
