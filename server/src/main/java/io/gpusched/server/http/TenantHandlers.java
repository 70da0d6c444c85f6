package io.gpusched.server.http;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.server.auth.Token;
import io.gpusched.server.auth.Tokens;
import io.gpusched.server.intake.IntakeResult;
import io.gpusched.server.intake.TenantIntake;
import io.gpusched.server.view.TenantRow;
import io.gpusched.server.view.View;

import java.util.List;
import java.util.function.Supplier;

/// `/api/v1/tenants`: list, show, create, change and remove tenants and their quotas.
final class TenantHandlers {
    private final Supplier<View> views;
    private final Lookups lookups;
    private final TenantIntake intake;
    private final RequestBodies requestBodies;
    private final CommandSender commandSender;
    private final Tokens tokens;
    private final boolean memoryPerGpu;

    /// @param memoryPerGpu whether quotas count GPU memory for every GPU
    TenantHandlers(
            Supplier<View> views,
            Lookups lookups,
            TenantIntake intake,
            RequestBodies requestBodies,
            CommandSender commandSender,
            Tokens tokens,
            boolean memoryPerGpu) {
        this.views = views;
        this.lookups = lookups;
        this.intake = intake;
        this.requestBodies = requestBodies;
        this.commandSender = commandSender;
        this.tokens = tokens;
        this.memoryPerGpu = memoryPerGpu;
    }

    Response list(Request request) {
        List<TenantRow> rows =
                views.get().tenants().all().stream()
                        .filter(row -> request.caller().mayTouch(row.tenant().id()))
                        .toList();
        var out = new JsonOutput(1 << 12).object().name("tenants").array();
        for (TenantRow row : request.page(rows)) {
            TenantJson.fields(row, memoryPerGpu, out.object());
            out.endObject();
        }
        return Response.ok(out.endArray().field("total", rows.size()).endObject());
    }

    Response show(Request request) {
        var out = new JsonOutput(1 << 10).object();
        TenantJson.fields(lookups.tenant(request), memoryPerGpu, out);
        return Response.ok(out.endObject());
    }

    Response create(Request request) {
        return made(
                201,
                commandSender.accepted(
                        () -> intake.create(requestBodies.object(request), request.caller())));
    }

    Response change(Request request) {
        return made(
                200,
                commandSender.accepted(
                        () ->
                                intake.change(
                                        requestBodies.object(request),
                                        () -> lookups.tenant(request).tenant(),
                                        request.caller())));
    }

    Response remove(Request request) {
        TenantId id = lookups.tenant(request).tenant().id();
        commandSender.run(new Command.RemoveTenant(id, request.caller().label()));
        tokens.revoke(
                token -> token.kind() == Token.Kind.MEMBER && token.subject().equals(id.name()));
        return Response.message("Tenant " + id + " removed");
    }

    private Response made(int status, IntakeResult.Accepted<Tenant> accepted) {
        TenantRow row = views.get().tenants().row(accepted.what().id());
        if (row == null) {
            throw HttpError.unknown("tenant", accepted.what().id().name(), "/api/v1/tenants");
        }
        var out = new JsonOutput(1 << 10).object();
        TenantJson.fields(row, memoryPerGpu, out);
        RequestBodies.warnings(accepted.warnings(), out);
        return Response.json(status, out.endObject());
    }
}
