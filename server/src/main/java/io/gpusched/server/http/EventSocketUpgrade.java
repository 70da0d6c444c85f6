package io.gpusched.server.http;

import io.gpusched.server.auth.Caller;
import io.gpusched.server.websocket.Handshake;
import io.helidon.common.buffers.BufferData;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HttpPrologue;
import io.helidon.http.WritableHeaders;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.spi.Http1Upgrader;
import io.helidon.webserver.spi.ServerConnection;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;

/// Turns a connection into a WebSocket with live events, if the request for it passes all checks.
/// If it does not, the connection stays HTTP, and the route of the same path answers with the
/// error.
final class EventSocketUpgrade implements Http1Upgrader {
    static final String PATH = "/ws";

    private static final HeaderName KEY = HeaderNames.create("Sec-WebSocket-Key");
    private static final HeaderName VERSION = HeaderNames.create("Sec-WebSocket-Version");

    private final Admission admission;
    private final ListenerLimit limit;
    private final RequestHandler.RequestCounter counter;

    EventSocketUpgrade(
            Admission admission, ListenerLimit limit, RequestHandler.RequestCounter counter) {
        this.admission = admission;
        this.limit = limit;
        this.counter = counter;
    }

    @Override
    public String supportedProtocol() {
        return "websocket";
    }

    @Override
    public @Nullable ServerConnection upgrade(
            ConnectionContext connection, HttpPrologue prologue, WritableHeaders<?> headers) {
        String key = text(headers, KEY);
        if (key == null || !Handshake.isKey(key) || !isHandshake(prologue, headers)) {
            return null;
        }
        EventSocket socket;
        try {
            socket = admitted(connection, prologue, headers);
        } catch (HttpError refused) {
            return null;
        }
        counter.answered(101);
        connection.dataWriter().writeNow(BufferData.create(Handshake.answer(key)));
        return socket;
    }

    private static boolean isHandshake(HttpPrologue prologue, WritableHeaders<?> headers) {
        return prologue.method().text().equals("GET")
                && prologue.uriPath().path().equals(PATH)
                && EventQuery.NAMES.containsAll(prologue.query().names())
                && asksForUpgrade(headers)
                && Handshake.VERSION.equals(text(headers, VERSION));
    }

    /// A caller without an `Authorization` header may send its token in the first frame: a page in
    /// a browser cannot set the header.
    private EventSocket admitted(
            ConnectionContext connection, HttpPrologue prologue, WritableHeaders<?> headers) {
        admission.checkOrigin(text(headers, HeaderNames.HOST), text(headers, HeaderNames.ORIGIN));
        String authorization = text(headers, HeaderNames.AUTHORIZATION);
        var query = new EventQuery(name -> String.join(",", prologue.query().all(name, List::of)));
        var entry = new EventSocketEntry(admission, limit, query);
        if (authorization == null) {
            return new EventSocket(connection, entry, null);
        }
        Caller caller = admission.admit(authorization, Route.Audience.MEMBERS);
        return new EventSocket(connection, entry, entry.open(caller, authorization, query));
    }

    private static boolean asksForUpgrade(WritableHeaders<?> headers) {
        return headers.all(HeaderNames.CONNECTION, List::of).stream()
                .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains("upgrade"));
    }

    private static @Nullable String text(WritableHeaders<?> headers, HeaderName name) {
        return headers.contains(name) ? headers.get(name).get() : null;
    }
}
