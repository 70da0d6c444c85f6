package io.gpusched.server.http;

import io.gpusched.server.auth.Caller;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;

/// A request that passed all checks: its caller, path names, query and body. It is closed when it
/// has been answered.
final class Request implements AutoCloseable {
    static final HeaderName IDEMPOTENCY_KEY = HeaderNames.create("Idempotency-Key");

    private static final byte[] NOTHING = new byte[0];

    private final ServerRequest request;
    private final Caller caller;
    private final Map<String, String> path;
    private final int mostBytes;
    private final BodyBudget budget;
    private BodyBudget.@Nullable Reservation reservation;
    private boolean bodyRead;
    private final BooleanSupplier stillAdmitted;

    Request(
            ServerRequest request,
            Caller caller,
            BooleanSupplier stillAdmitted,
            Map<String, String> path,
            int mostBytes,
            BodyBudget budget) {
        this.request = request;
        this.caller = caller;
        this.stillAdmitted = stillAdmitted;
        this.path = path;
        this.mostBytes = mostBytes;
        this.budget = budget;
    }

    /// Whether the body was read to its end.
    boolean isBodyRead() {
        return bodyRead;
    }

    @Override
    public void close() {
        if (reservation != null) {
            reservation.close();
            reservation = null;
        }
    }

    Caller caller() {
        return caller;
    }

    /// Whether the caller would be admitted at this moment. A long response checks this from time
    /// to time, because the caller's token may have been revoked.
    boolean stillAdmitted() {
        return stillAdmitted.getAsBoolean();
    }

    /// The segment of the path where the route says `{name}`.
    String path(String name) {
        return path.getOrDefault(name, "");
    }

    /// The whole path, as the client wrote it.
    String rawPath() {
        return request.path().rawPath();
    }

    /// Whether the client is a browser, which shows HTML.
    boolean wantsPage() {
        return accepts("text/html");
    }

    /// Whether the client names this type among those that it accepts.
    boolean accepts(String type) {
        return request.headers().all(HeaderNames.ACCEPT, List::of).stream()
                .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains(type));
    }

    /// Whether the client wants the headers of an answer only.
    boolean isHead() {
        return request.prologue().method().text().equals("HEAD");
    }

    /// The value of a query parameter; empty when it is absent.
    String query(String name) {
        return request.query().first(name).orElse("");
    }

    /// A query parameter that takes a list: all its values, separated by commas.
    String list(String name) {
        return String.join(",", request.query().all(name, List::of));
    }

    /// Throws an [HttpError] if the query has a parameter other than these: a misspelt one would
    /// otherwise silently change the answer.
    void onlyParameters(String... known) {
        for (String name : request.query().names()) {
            if (!List.of(known).contains(name)) {
                throw HttpError.invalid(
                        name,
                        "there is no parameter " + name,
                        known.length == 0
                                ? "this route takes no parameters"
                                : "this route takes " + String.join(", ", known));
            }
        }
    }

    /// A whole number of the query within bounds; throws an [HttpError] that names the parameter if
    /// it is not one.
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

    /// A time of the query, in ISO 8601 with a zone; throws an [HttpError] that names the parameter
    /// if it is not one.
    Instant time(String name, Instant usual) {
        String text = query(name);
        if (text.isEmpty()) {
            return usual;
        }
        try {
            // A plus sign that was not escaped arrives as a space.
            return OffsetDateTime.parse(text.replace(' ', '+')).toInstant();
        } catch (DateTimeParseException notATime) {
            throw HttpError.invalid(
                    name,
                    "%s is \"%s\"".formatted(name, text),
                    "write a time such as 2026-01-05T12:00:00Z");
        }
    }

    /// The part of a short list that `limit` and `offset` select.
    <T> List<T> page(List<T> all) {
        long limit = number("limit", Integer.MAX_VALUE, 0, Integer.MAX_VALUE);
        long offset = number("offset", 0, 0, Long.MAX_VALUE);
        return all.stream().skip(offset).limit(limit).toList();
    }

    boolean flag(String name) {
        return switch (query(name)) {
            case "", "false", "0" -> false;
            case "true", "1" -> true;
            default ->
                    throw HttpError.invalid(
                            name, name + " is \"" + query(name) + "\"", "write true or false");
        };
    }

    String header(HeaderName name) {
        return request.headers().contains(name) ? request.headers().get(name).get() : "";
    }

    /// The whole body; empty if there is none. Call it once.
    byte[] body() {
        if (!request.content().hasEntity()) {
            return NOTHING;
        }
        long length = request.headers().contentLength().orElse(mostBytes);
        reservation = budget.take(Math.min(length, mostBytes));
        byte[] body = read();
        if (body.length > mostBytes) {
            throw HttpError.tooLarge(mostBytes);
        }
        bodyRead = true;
        return body;
    }

    /// A client that disconnects or sends a wrong length gets a 400; it is not an error of the
    /// server.
    private byte[] read() {
        long length = request.headers().contentLength().orElse(-1);
        try (InputStream in = request.content().inputStream()) {
            if (length < 0 || length > mostBytes) {
                return in.readNBytes(mostBytes + 1);
            }
            byte[] body = new byte[(int) length];
            if (in.readNBytes(body, 0, body.length) < body.length) {
                throw HttpError.malformed(400, "the body is not as long as it should be");
            }
            return body;
        } catch (HttpError e) {
            throw e;
        } catch (RequestException e) {
            throw e.status().code() == Status.REQUEST_ENTITY_TOO_LARGE_413.code()
                    ? HttpError.tooLarge(mostBytes)
                    : HttpError.malformed(400, "the body is not as long as it should be");
        } catch (IOException | RuntimeException e) {
            throw HttpError.malformed(400, "the body is not as long as it should be");
        }
    }

    private static HttpError outOfBounds(String name, String text, long least, long most) {
        return HttpError.invalid(
                name,
                "%s is \"%s\"".formatted(name, text),
                "write a whole number from %d to %d".formatted(least, most));
    }
}
