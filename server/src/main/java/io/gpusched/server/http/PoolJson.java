package io.gpusched.server.http;

import io.gpusched.core.model.NodeId;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.state.SizeDecision;
import io.gpusched.server.view.PoolFigures;
import io.gpusched.server.view.PoolRow;
import io.gpusched.server.view.ReplicaAddress;
import io.gpusched.server.view.ReplicaRow;
import io.gpusched.server.view.View;
import io.gpusched.wire.pool.PoolDocument;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

/// Writes a pool as JSON: its document, and its status.
final class PoolJson {
    private final JsonOutput out;
    private final View view;
    private final Instant now;

    PoolJson(JsonOutput out, View view, Instant now) {
        this.out = out;
        this.view = view;
        this.now = now;
    }

    /// Writes all fields into an object that is open.
    void fields(PoolRow row) {
        JsonTrees.fields(PoolDocument.of(row.pool()), out);
        out.name("status").object();
        out.field("phase", row.phase(now).toString()).field("desired", row.desired());
        out.field("ready", row.counts().ready()).field("starting", row.counts().starting());
        out.field("waiting", row.counts().waiting()).field("draining", row.counts().draining());
        out.field("warm", row.counts().warm()).field("warm_activations", row.activations());
        out.field("updated", row.update().done());
        if (!row.update().words().isEmpty()) {
            out.field("update", row.update().words())
                    .field("update_stopped", row.update().stopped());
        }
        Integer hold = row.hold();
        if (hold != null) {
            out.field("held_at", hold).field("hold_reason", row.holdReason());
        }
        decision(row);
        out.field("cost_per_hour", row.costPerHour()).field("stale", row.isStale(now));
        trouble(row);
        out.name("replicas").array();
        row.replicas().forEach(replica -> write(row, replica));
        out.endArray();
        figures(row);
        out.endObject();
    }

    private void decision(PoolRow row) {
        SizeDecision decided = row.decided();
        SizeDecision recommended = row.recommended();
        SizeDecision shown = decided == null ? recommended : decided;
        out.field("rule", shown == null ? "" : shown.rule());
        out.field("reason", shown == null ? "no size was decided yet" : shown.reason());
        out.field("decided_at", decided == null ? null : decided.at());
        if (recommended != null) {
            out.field("recommended", recommended.from());
        }
    }

    private void trouble(PoolRow row) {
        if (row.isCrashing()) {
            out.field("failures", row.failures()).field("failure", row.failure());
            out.field("start_after", row.startAfter());
        }
        if (row.growAfter() != null) {
            out.field("lapse", row.lapse()).field("grow_after", row.growAfter());
        }
    }

    private void write(PoolRow row, ReplicaRow replica) {
        out.object().field("job_id", replica.job().toString()).field("number", replica.number());
        out.field("state", replica.state().name().toLowerCase(Locale.ROOT));
        NodeId node = replica.node();
        out.field("node_id", node == null ? null : node.name());
        out.field("address", ReplicaAddress.of(row, replica, view))
                .field("ready_since", replica.readySince());
        ReplicaLoad load = replica.load();
        out.field("running", load == null ? 0 : load.running());
        out.field("waiting", load == null ? 0 : load.waiting());
        out.field("kv", load == null ? 0 : load.kvPermille() / 1000.0);
        out.field("ttft_ms", load == null ? 0 : load.firstTokenMillis());
        out.field("itl_ms", load == null ? 0 : load.interTokenMicros() / 1000.0);
        out.field("spot", replica.spot()).field("warm", replica.warm());
        out.field("model_cached", replica.cached()).endObject();
    }

    private void figures(PoolRow row) {
        PoolFigures figures = row.figuresAt(now);
        out.field("tokens_per_second", figures.tokensPerSecond());
        out.field("ttft_p95_ms", figures.firstTokenP95());
        out.field("slo_percent", figures.sloPercent());
        out.field("arrivals_per_second", figures.arrivalsPerSecond());
        out.field("tokens_in_queue", figures.now().tokensInQueue());
        out.field("sessions", figures.now().sessions());
        out.field("reported_at", figures.newest());
    }

    static void recent(List<SizeDecision> changes, JsonOutput out) {
        out.name("recent").array();
        for (SizeDecision change : changes.reversed()) {
            out.object().field("at", change.at()).field("from", change.from());
            out.field("to", change.to()).field("rule", change.rule());
            out.field("reason", change.reason()).endObject();
        }
        out.endArray();
    }
}
