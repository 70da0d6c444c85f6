package io.gpusched.server.http;

import io.gpusched.core.event.Command;
import io.gpusched.core.state.CachedModel;
import io.gpusched.server.intake.PoolIntake;
import io.gpusched.server.view.ModelRow;
import io.gpusched.wire.pool.ServedModelRequest;

import java.util.List;
import java.util.Locale;

/// `/api/v1/models`: the models that pools serve, and which nodes hold them.
final class ServedModelHandlers {
    private final HandlerContext context;
    private final PoolIntake intake;

    ServedModelHandlers(HandlerContext context, PoolIntake intake) {
        this.context = context;
        this.intake = intake;
    }

    Response list(Request request) {
        List<ModelRow> rows = List.copyOf(context.views.get().pools().models().values());
        var out = new JsonOutput(1 << 11).object().name("models").array();
        for (ModelRow row : request.page(rows)) {
            out.object();
            write(row, out);
            out.endObject();
        }
        return Response.ok(out.endArray().field("total", rows.size()).endObject());
    }

    Response show(Request request) {
        var out = new JsonOutput(1 << 10).object();
        write(row(request.path("name")), out);
        return Response.ok(out.endObject());
    }

    private ModelRow row(String name) {
        ModelRow row = context.views.get().pools().models().get(name);
        if (row == null) {
            throw HttpError.unknown("model", name, "/api/v1/models");
        }
        return row;
    }

    private static void write(ModelRow row, JsonOutput out) {
        JsonTrees.fields(ServedModelRequest.document(row.model()), out);
        out.name("status").object().name("nodes").array();
        row.nodes()
                .forEach(
                        (node, each) -> {
                            out.object().field("node_id", node.name());
                            write(each, out);
                            out.endObject();
                        });
        out.endArray().endObject();
    }

    /// A model that the node should hold and does not have yet is `wanted`.
    private static void write(CachedModel each, JsonOutput out) {
        String state = each.isThere() ? each.state().name().toLowerCase(Locale.ROOT) : "wanted";
        out.field("state", state).field("wanted", each.wanted());
        out.field("why", each.why()).field("bytes", each.bytes());
        out.field("last_used", each.lastUsed());
        if (!each.problem().isEmpty()) {
            out.field("problem", each.problem());
        }
    }

    Response put(Request request) {
        String name = request.path("name");
        var body = context.bodies.object(request);
        var accepted = context.sender.accepted(() -> intake.putModel(name, body, request.caller()));
        var out = new JsonOutput(1 << 10).object();
        write(row(name), out);
        out.field("action", accepted.what().name().toLowerCase(Locale.ROOT));
        RequestBodies.warnings(accepted.warnings(), out);
        return Response.json(
                accepted.what() == PoolIntake.Action.CREATED ? 201 : 200, out.endObject());
    }

    Response remove(Request request) {
        request.onlyParameters("force");
        String name = row(request.path("name")).model().name();
        context.sender.run(
                new Command.RemoveModel(name, request.flag("force"), request.caller().label()));
        return Response.message("Model " + name + " removed");
    }
}
