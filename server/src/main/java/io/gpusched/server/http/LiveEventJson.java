package io.gpusched.server.http;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.NodeId;
import io.gpusched.server.live.Delivery;
import io.gpusched.server.live.EventKind;
import io.gpusched.server.live.LiveEvent;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;

/// Writes live events as JSON and as frames of Server-Sent Events.
///
///     id: 512-3
///     event: running
///     data: {"id":"512-3","at":"2026-01-05T12:00:00Z","kind":"running",…}
final class LiveEventJson implements LiveEvent.Encoder {
    static final LiveEventJson INSTANCE = new LiveEventJson();

    private static final byte[] END = {'\n', '\n'};

    private LiveEventJson() {}

    static void write(LiveEvent event, String message, JsonOutput out) {
        LiveEvent.About about = event.about();
        out.object().field("id", event.id().toString()).field("at", event.at());
        out.field("kind", event.kind().text()).field("subject", event.kind().subject().text());
        out.field("job_id", text(about.job())).field("tenant_id", text(about.tenant()));
        NodeId node = event.node();
        out.field("node_id", text(node));
        if (about.pool() != null) {
            out.field("pool", text(about.pool()));
        }
        out.field("message", message).endObject();
    }

    /// A change of the policy whose place in the journal is not known.
    static void write(Event.PolicyChanged change, String message, JsonOutput out) {
        EventKind kind = EventKind.POLICY;
        out.object().empty("id").field("at", change.at()).field("kind", kind.text());
        out.field("subject", kind.subject().text()).empty("job_id").empty("tenant_id");
        out.empty("node_id").field("message", message).endObject();
    }

    private static @Nullable String text(@Nullable Object id) {
        return id == null ? null : id.toString();
    }

    @Override
    public LiveEvent.Encoded encode(LiveEvent event, String message) {
        var out = new JsonOutput(256 + message.length());
        write(event, message, out);
        String head = "id: " + event.id() + "\nevent: " + event.kind().text() + "\ndata: ";
        return framed(head, out);
    }

    private static LiveEvent.Encoded framed(String head, JsonOutput json) {
        byte[] before = head.getBytes(StandardCharsets.US_ASCII);
        byte[] body = json.toBytes();
        int length = body.length - 1; // Without the newline at the end.
        byte[] frame = new byte[before.length + length + END.length];
        System.arraycopy(before, 0, frame, 0, before.length);
        System.arraycopy(body, 0, frame, before.length, length);
        System.arraycopy(END, 0, frame, before.length + length, END.length);
        return new LiveEvent.Encoded(frame, before.length, length);
    }

    /// Tells a listener to read the state again.
    static LiveEvent.Encoded resync(Delivery.Resync resync, boolean withKind) {
        JsonOutput out = notice("resync", resync.reason(), withKind);
        out.field("newest", resync.newest().toString()).endObject();
        return framed("id: " + resync.newest() + "\nevent: resync\ndata: ", out);
    }

    /// Tells a listener why its stream ends.
    static LiveEvent.Encoded closed(StreamEnd why, String reason, boolean withKind) {
        JsonOutput out = notice("closed", reason, withKind).field("code", why.code()).endObject();
        return framed("event: closed\ndata: ", out);
    }

    private static JsonOutput notice(String kind, String reason, boolean withKind) {
        var out = new JsonOutput().object();
        if (withKind) {
            out.field("kind", kind);
        }
        return out.field("reason", reason);
    }
}
