package io.gpusched.server.http;

import io.gpusched.core.event.Event;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.live.EventFeed;
import io.gpusched.server.live.EventId;
import io.gpusched.server.live.EventKind;
import io.gpusched.server.live.EventText;
import io.gpusched.server.live.LiveEvent;
import io.gpusched.server.live.Selection;
import io.gpusched.server.policy.PolicyControl;
import io.gpusched.server.websocket.Handshake;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/// `/api/v1/events`: what happens in the cluster, as a list of the newest events or, for a caller
/// that accepts `text/event-stream`, live.
final class EventHandlers {
    private static final HeaderName LAST_EVENT_ID = HeaderNames.create("Last-Event-ID");
    private static final int USUAL_LIMIT = 100;
    private static final int MOST_LISTED = 10_000;

    private final EventFeed feed;
    private final ListenerLimit limit;
    private final PolicyControl policyControl;

    EventHandlers(EventFeed feed, ListenerLimit limit, PolicyControl policyControl) {
        this.feed = feed;
        this.limit = limit;
        this.policyControl = policyControl;
    }

    Response events(Request request) {
        request.onlyParameters("tenant", "job", "node", "kind", EventQuery.LAST, "limit");
        var query = EventQuery.of(request);
        Selection selection = query.selection(request.caller());
        return request.accepts(EventStream.TYPE)
                ? stream(request, selection, query.last(request.header(LAST_EVENT_ID)))
                : list(request, selection);
    }

    /// Answers requests for a WebSocket that cannot become one. If the parameters or the number of
    /// listeners are the reason, the error says so.
    Response notASocket(Request request) {
        request.onlyParameters(EventQuery.NAMES.toArray(String[]::new));
        var query = EventQuery.of(request);
        query.selection(request.caller());
        query.last("");
        limit.check(request.caller());
        throw HttpError.invalid(
                "Upgrade",
                "this address speaks WebSocket, version " + Handshake.VERSION,
                "connect with a WebSocket client, or read /api/v1/events with Accept: "
                        + EventStream.TYPE);
    }

    private Response list(Request request, Selection selection) {
        int most = (int) request.number("limit", USUAL_LIMIT, 0, MOST_LISTED);
        if (selection.equals(Selection.only(EventKind.POLICY, selection.reader()))) {
            return policyChanges(most);
        }
        List<LiveEvent> events = newest(selection, most);
        var out = new JsonOutput(256 * events.size() + 64).object().name("events").array();
        for (LiveEvent event : events) {
            LiveEventJson.write(event, event.message(selection.seesAll()), out);
        }
        return Response.ok(out.endArray().field("total", events.size()).endObject());
    }

    /// Changes of the policy are rare and may be older than the journal, so the cluster state keeps
    /// the last of them. It does not keep their ids.
    private Response policyChanges(int most) {
        List<Event.PolicyChanged> changes = policyControl.status().changes();
        var out = new JsonOutput(1 << 11).object().name("events").array();
        int skipped = Math.max(0, changes.size() - most);
        for (int i = skipped; i < changes.size(); i++) {
            Event.PolicyChanged change = changes.get(i);
            String before = i == 0 ? change.configured() : changes.get(i - 1).policy();
            LiveEventJson.write(change, EventText.policyChanged(change, before), out);
        }
        return Response.ok(out.endArray().field("total", changes.size() - skipped).endObject());
    }

    private List<LiveEvent> newest(Selection selection, int most) {
        try {
            return feed.newest(selection, most);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw HttpError.notReady("the server is shutting down");
        }
    }

    private Response stream(Request request, Selection selection, @Nullable EventId after) {
        var headers = Map.of("Cache-Control", "no-cache", "X-Accel-Buffering", "no");
        if (request.isHead()) {
            return new Response.Complete(200, EventStream.TYPE, new byte[0], headers);
        }
        Caller caller = request.caller();
        limit.check(caller);
        return new Response.Streaming(
                EventStream.TYPE,
                headers,
                new EventStream(
                        () -> feed.subscribe(selection, caller.label(), after),
                        request::stillAdmitted));
    }
}
