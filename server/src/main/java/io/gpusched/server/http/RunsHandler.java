package io.gpusched.server.http;

import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.view.PastRuns;
import io.gpusched.store.RunRow;
import io.gpusched.store.StoreException;
import io.gpusched.store.StoredRuns;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;

/// `GET /api/v1/runs`: which job held which GPUs when, for a Gantt chart. A tenant sees that others
/// held GPUs, but not who, nor how their runs ended.
final class RunsHandler {
    private static final Duration USUAL = Duration.ofHours(1);
    private static final int USUAL_LIMIT = 5000;
    private static final int MOST = 20_000;

    private final PastRuns runs;
    private final InstantSource clock;

    RunsHandler(PastRuns runs, InstantSource clock) {
        this.runs = runs;
        this.clock = clock;
    }

    Response list(Request request) {
        request.onlyParameters("from", "to", "node", "tenant", "limit");
        TimeWindow times = TimeWindow.of(request, clock.instant(), USUAL);
        String node = request.query("node");
        var query =
                new StoredRuns.Query(
                        TimeWindow.storable(times.from()),
                        TimeWindow.storable(times.to()),
                        node.isEmpty() ? null : new NodeId(node),
                        tenant(request));
        int limit = (int) request.number("limit", USUAL_LIMIT, 1, MOST);
        PastRuns.Found found = find(query, limit);
        var out = new JsonOutput(1 << 14).object();
        out.field("from", times.from()).field("to", times.to()).name("runs").array();
        found.runs().forEach(run -> write(run, request.caller(), out));
        return Response.ok(out.endArray().field("truncated", found.truncated()).endObject());
    }

    private static @Nullable TenantId tenant(Request request) {
        String name = request.query("tenant");
        if (name.isEmpty()) {
            return null;
        }
        var tenant = new TenantId(name);
        if (!request.caller().mayTouch(tenant)) {
            throw HttpError.unknown("tenant", name, "/api/v1/tenants");
        }
        return tenant;
    }

    private PastRuns.Found find(StoredRuns.Query query, int limit) {
        try {
            return runs.find(query, limit);
        } catch (StoreException e) {
            throw HttpError.notReady("the runs cannot be read: " + e.getMessage());
        }
    }

    private static void write(RunRow run, Caller caller, JsonOutput out) {
        boolean visible = caller.mayTouch(run.tenant());
        out.object().field("job_id", visible ? run.key().job().toString() : null);
        if (visible) {
            out.field("attempt", run.key().attempt());
        } else {
            out.empty("attempt");
        }
        out.field("name", visible ? run.name() : null);
        out.field("tenant_id", visible ? run.tenant().name() : null);
        out.field("node_id", run.key().node().name()).name("gpus").array();
        for (long rest = run.gpus(); rest != 0; rest &= rest - 1) {
            out.value((long) Long.numberOfTrailingZeros(rest));
        }
        out.endArray().field("start", run.start()).field("end", run.end());
        out.field("end_kind", visible || run.end() == null ? run.endKind() : null).endObject();
    }
}
