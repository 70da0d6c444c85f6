package io.gpusched.server.http;

import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.tenants.TenantShare;
import io.gpusched.server.cell.Follower;

import java.time.InstantSource;
import java.util.List;
import java.util.Locale;

/// `GET /api/v1/fairshare`: the share of every tenant, what it is entitled to, and its status.
final class FairShareHandler {
    /// What the handler reads from the engine in one query.
    private record Shown(String policy, boolean byTenant, List<TenantShare> tenants) {}

    private final Follower follower;
    private final FairShareSettings rules;
    private final InstantSource clock;

    FairShareHandler(Follower follower, FairShareSettings rules, InstantSource clock) {
        this.follower = follower;
        this.rules = rules;
        this.clock = clock;
    }

    Response show(Request request) {
        Shown shown =
                follower.ask(
                        engine ->
                                new Shown(
                                        engine.policy().name(),
                                        engine.policy().order().byTenant(),
                                        engine.state().tenantShares(clock.instant())));
        var out = new JsonOutput(1 << 12).object();
        out.field("policy", shown.policy).field("by_tenant", shown.byTenant);
        out.field("half_life_hours", rules.halfLife().toMinutes() / 60.0);
        out.field("dynamic", rules.adjusts());
        out.name("tenants").array();
        for (TenantShare share : shown.tenants) {
            if (request.caller().mayTouch(share.tenant().id())) {
                write(share, out);
            }
        }
        return Response.ok(out.endArray().endObject());
    }

    private static void write(TenantShare share, JsonOutput out) {
        Tenant tenant = share.tenant();
        long limit = tenant.limit().milliGpus();
        out.object().field("tenant_id", tenant.id().name());
        out.field("parent_id", tenant.parent() == null ? null : tenant.parent().name());
        out.field("depth", share.depth());
        out.field("weight", tenant.weight());
        out.field("adjusted_weight", share.adjusted());
        out.field("reason", share.reason());
        out.field("guaranteed_gpus", tenant.guaranteed().milliGpus() / 1000.0);
        out.field("max_gpus", limit == Limits.UNLIMITED ? Double.NaN : limit / 1000.0);
        out.field("current_gpus", share.usage().milliGpus() / 1000.0);
        out.field("current_share", share.now());
        out.field("recent_share", share.lately());
        out.field("target_share", share.target());
        out.field("effective_share", share.effective());
        out.field("borrowed_gpus", share.borrowedMilliGpus() / 1000.0);
        out.field("status", share.status().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        if (share.turn() == 0) {
            out.empty("turn");
        } else {
            out.field("turn", share.turn());
        }
        out.field("why", FairShareText.of(share));
        out.endObject();
    }
}
