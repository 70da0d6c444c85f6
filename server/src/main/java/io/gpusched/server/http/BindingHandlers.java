package io.gpusched.server.http;

import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.QueueBinding;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.intake.PoolIntake;
import io.gpusched.server.view.PoolRow;
import io.gpusched.wire.pool.BindingRequest;

import java.util.List;
import java.util.Locale;

/// `/api/v1/bindings`: queues whose depth gateways read for a pool. A connection is a secret: only
/// a gateway or an administrator that asks for secrets is told.
final class BindingHandlers {
    private final HandlerContext context;
    private final PoolIntake intake;

    BindingHandlers(HandlerContext context, PoolIntake intake) {
        this.context = context;
        this.intake = intake;
    }

    Response list(Request request) {
        request.onlyParameters("secrets", "limit", "offset");
        boolean secrets = secrets(request);
        List<QueueBinding> all =
                context.views.get().pools().bindings().values().stream()
                        .filter(binding -> request.caller().mayTouch(binding.tenant()))
                        .filter(binding -> !isGateway(request) || isOfItsTenant(binding))
                        .toList();
        var out = new JsonOutput(1 << 11).object().name("bindings").array();
        for (QueueBinding binding : request.page(all)) {
            out.object();
            JsonTrees.fields(BindingRequest.document(binding, secrets), out);
            out.endObject();
        }
        return Response.ok(out.endArray().field("total", all.size()).endObject());
    }

    private static boolean isGateway(Request request) {
        return request.caller() instanceof Caller.Gateway;
    }

    /// A pool may come after its binding, also one of another tenant: no gateway reports that
    /// binding's queue as the load of that pool.
    private boolean isOfItsTenant(QueueBinding binding) {
        PoolId pool = binding.pool();
        PoolRow row = pool == null ? null : context.views.get().pools().rows().row(pool);
        return row == null || row.pool().tenant().equals(binding.tenant());
    }

    private static boolean secrets(Request request) {
        boolean wanted = request.flag("secrets");
        Caller caller = request.caller();
        if (wanted && !caller.isAdmin() && !(caller instanceof Caller.Gateway)) {
            throw HttpError.forbidden(
                    "this token may not read connections",
                    "leave secrets out, or ask with a gateway's or an administrator's token");
        }
        return wanted;
    }

    Response show(Request request) {
        request.onlyParameters("secrets");
        var out = new JsonOutput(1 << 10).object();
        JsonTrees.fields(BindingRequest.document(binding(request), secrets(request)), out);
        return Response.ok(out.endObject());
    }

    private QueueBinding binding(Request request) {
        String name = request.path("name");
        QueueBinding binding = context.views.get().pools().bindings().get(name);
        if (binding == null || !request.caller().mayTouch(binding.tenant())) {
            throw HttpError.unknown("binding", name, "/api/v1/bindings");
        }
        return binding;
    }

    Response put(Request request) {
        var body = context.bodies.object(request);
        var accepted =
                context.sender.accepted(
                        () -> intake.putBinding(request.path("name"), body, request.caller()));
        var out = new JsonOutput(1 << 10).object();
        JsonTrees.fields(BindingRequest.document(binding(request), false), out);
        out.field("action", accepted.what().name().toLowerCase(Locale.ROOT));
        RequestBodies.warnings(accepted.warnings(), out);
        return Response.json(
                accepted.what() == PoolIntake.Action.CREATED ? 201 : 200, out.endObject());
    }

    Response remove(Request request) {
        QueueBinding binding = binding(request);
        context.sender.accepted(() -> intake.removeBinding(binding, request.caller()));
        return Response.message("Binding " + binding.name() + " removed");
    }
}
