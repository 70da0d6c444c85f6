package io.gpusched.server.http;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.PoolDecision;
import io.gpusched.core.engine.PoolSizing;
import io.gpusched.core.engine.RollingUpdate;
import io.gpusched.core.explain.Explainer;
import io.gpusched.core.explain.Explanation;
import io.gpusched.core.explain.ReplicaLocality;
import io.gpusched.core.model.Job;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;
import io.gpusched.server.view.PoolRow;
import io.gpusched.server.view.ReasonSource;
import io.gpusched.server.view.ReplicaRow;

import java.time.Instant;
import java.util.List;

/// `GET /api/v1/pools/{name}/explain`: every step on the way to the pool's size, why it does not
/// grow, and why replicas wait.
final class PoolExplainHandler {
    /// Replicas that wait for the same reason need not all be explained.
    private static final int MOST_WAITING = 5;

    private final HandlerContext context;
    private final PoolHandlers pools;
    private final ReasonSource reasons;

    PoolExplainHandler(HandlerContext context, PoolHandlers pools, ReasonSource reasons) {
        this.context = context;
        this.pools = pools;
        this.reasons = reasons;
    }

    Response explain(Request request) {
        PoolRow row = pools.row(request);
        return context.follower.ask(engine -> explained(row, engine, request));
    }

    private Response explained(PoolRow row, Engine engine, Request request) {
        Instant now = context.clock.instant();
        PoolEntry entry = engine.state().pools().find(row.pool().id());
        if (entry == null) {
            throw HttpError.unknown("pool", row.pool().id().name(), "/api/v1/pools");
        }
        PoolSizing sizing = PoolSizing.of(engine, now);
        PoolDecision decision = sizing.decide(entry);
        var out = new JsonOutput(1 << 11).object();
        out.field("pool", row.pool().id().name()).field("desired", row.desired());
        out.field("rule", decision.rule()).field("reason", decision.reason());
        out.field("would_be", decision.desired()).field("steps", decision.steps());
        out.field("why_not_more", decision.whyNotMore());
        String capacity = sizing.capacity(entry, decision);
        if (!capacity.isEmpty()) {
            out.field("capacity", context.callerTexts.of(request.caller()).apply(capacity));
        }
        if (row.isCrashing()) {
            out.field(
                    "trouble",
                    "replicas end by themselves (%d in a row, last: %s); the next one starts after %s"
                            .formatted(row.failures(), row.failure(), row.startAfter()));
        }
        var update = new RollingUpdate(engine.state(), entry, now);
        if (!row.update().words().isEmpty()) {
            out.field("update", update.words(sizing.room(entry, 1) > 0));
        }
        out.field("locality", ReplicaLocality.of(entry, engine.state()));
        out.name("waiting").array();
        List<ReplicaRow> waiting =
                row.replicas().stream()
                        .filter(replica -> replica.state() == ReplicaStatus.State.WAITING)
                        .limit(MOST_WAITING)
                        .toList();
        for (ReplicaRow replica : waiting) {
            waiting(replica, engine, now, request, out);
        }
        out.endArray();
        PoolJson.recent(row.recent(), out);
        return Response.ok(out.endObject());
    }

    private void waiting(
            ReplicaRow replica, Engine engine, Instant now, Request request, JsonOutput out) {
        Job job = engine.state().job(replica.job());
        if (job == null || !job.waiting()) {
            return;
        }
        Explanation why = new Explainer(engine, now).explain(job.id());
        out.object().field("job_id", job.id().toString());
        new ExplanationJson(out, reasons.now(), request.caller(), context.callerTexts)
                .fields(job, why, why.terms());
        out.endObject();
    }
}
