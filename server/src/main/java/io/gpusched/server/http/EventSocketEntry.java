package io.gpusched.server.http;

import io.gpusched.server.auth.Caller;
import io.gpusched.server.live.EventId;
import io.gpusched.server.live.Selection;
import io.gpusched.server.live.Subscription;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.MalformedException;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Admits a caller to live events over a WebSocket, by its header or by its first frame.
///
///     {"token":"tok-1f6c….Zk3…","last_event_id":"512-3","kind":"running,completed"}
///
/// @param query the parameters of the address
record EventSocketEntry(Admission admission, ListenerLimit limit, EventQuery query) {
    private static final String TOKEN = "token";

    /// A caller that was admitted.
    ///
    /// @param subscribe begins to listen
    /// @param admitted whether its token is still valid
    record Admitted(Supplier<Subscription> subscribe, BooleanSupplier admitted) {}

    /// @param parameters of the first frame or of the address
    Admitted open(Caller caller, @Nullable String authorization, EventQuery parameters) {
        Selection selection = parameters.selection(caller);
        EventId last = parameters.last("");
        limit.check(caller);
        return new Admitted(
                () -> limit.feed().subscribe(selection, caller.label(), last),
                () -> admission.stillAdmits(authorization, caller));
    }

    /// Admits a caller that sent no header.
    ///
    /// @param frame its first frame; empty if it sent none
    Admitted open(String frame) {
        Map<String, String> sent = frame.isEmpty() ? Map.of() : fields(frame);
        String token = sent.getOrDefault(TOKEN, "");
        String authorization = token.isEmpty() ? null : "Bearer " + token;
        Caller caller = admission.admit(authorization, Route.Audience.MEMBERS);
        var parameters = new EventQuery(name -> sent.getOrDefault(name, query.text().apply(name)));
        return open(caller, authorization, parameters);
    }

    private static Map<String, String> fields(String frame) {
        var fields = new HashMap<String, String>();
        var bodies = new RequestBodies(EventSocket.MOST_BYTES);
        try {
            bodies.parse(frame.getBytes(StandardCharsets.UTF_8))
                    .entries()
                    .forEach((name, value) -> fields.put(name, text(name, value)));
        } catch (MalformedException e) {
            throw HttpError.invalid("", "the first frame: " + e.says(), "send one JSON object");
        }
        return fields;
    }

    private static String text(String name, JsonTree value) {
        if (!name.equals(TOKEN) && !EventQuery.NAMES.contains(name)) {
            throw HttpError.invalid(
                    name,
                    "the first frame has an unknown field \"%s\"".formatted(name),
                    "known are token, " + String.join(", ", EventQuery.NAMES));
        }
        return switch (value) {
            case JsonTree.Text(String text) -> text;
            case JsonTree.Nothing() -> "";
            default ->
                    throw HttpError.invalid(
                            name, name + " is " + value.shown(), "write it as a string");
        };
    }
}
