package io.gpusched.server.http;

import io.gpusched.core.event.Command;
import io.gpusched.core.pool.AgentClass;
import io.gpusched.core.pool.Slo;
import io.gpusched.server.view.PoolRow;
import io.gpusched.server.view.View;

import java.util.List;

/// `/api/v1/classes`: the agent classes that manifests declared, and which pools name them.
final class AgentClassHandlers {
    private final HandlerContext context;

    AgentClassHandlers(HandlerContext context) {
        this.context = context;
    }

    Response list(Request request) {
        View view = context.views.get();
        List<AgentClass> rows =
                view.pools().classes().values().stream()
                        .filter(each -> request.caller().mayTouch(each.tenant()))
                        .toList();
        var out = new JsonOutput(1 << 11).object().name("classes").array();
        for (AgentClass each : request.page(rows)) {
            out.object();
            write(each, view, out);
            out.endObject();
        }
        return Response.ok(out.endArray().field("total", rows.size()).endObject());
    }

    Response show(Request request) {
        var out = new JsonOutput(1 << 10).object();
        write(row(request), context.views.get(), out);
        return Response.ok(out.endObject());
    }

    Response remove(Request request) {
        request.onlyParameters("force");
        String name = row(request).name();
        context.sender.run(
                new Command.RemoveAgentClass(
                        name, request.flag("force"), request.caller().label()));
        return Response.message("Agent class " + name + " removed");
    }

    private AgentClass row(Request request) {
        String name = request.path("name");
        AgentClass found = context.views.get().pools().classes().get(name);
        if (found == null || !request.caller().mayTouch(found.tenant())) {
            throw HttpError.unknown("agent_class", name, "/api/v1/classes");
        }
        return found;
    }

    private static void write(AgentClass each, View view, JsonOutput out) {
        out.field("name", each.name()).field("tenant_id", each.tenant().name());
        out.field("model", each.model());
        Slo slo = each.slo();
        if (!slo.isNone()) {
            out.name("slo").object();
            if (slo.firstTokenMillis() > 0) {
                out.field("ttft_ms", slo.firstTokenMillis());
            }
            if (slo.tokensPerSecond() > 0) {
                out.field("tokens_per_second", slo.tokensPerSecond());
            }
            out.field("percent", slo.permille() / 10.0).endObject();
        }
        out.field("profile", each.profile().entries());
        out.field("pools", pools(each.name(), view));
    }

    private static List<String> pools(String name, View view) {
        return view.pools().rows().all().stream()
                .map(PoolRow::pool)
                .filter(pool -> pool.replica().labels().value(AgentClass.LABEL).equals(name))
                .map(pool -> pool.id().name())
                .toList();
    }
}
