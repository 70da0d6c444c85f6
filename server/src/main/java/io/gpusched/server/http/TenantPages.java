package io.gpusched.server.http;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.server.auth.Token;
import io.gpusched.server.auth.Tokens;
import io.gpusched.server.intake.Taken;
import io.gpusched.server.intake.TenantIntake;
import io.gpusched.server.view.TenantRow;
import io.gpusched.server.view.View;

import java.util.List;
import java.util.function.Supplier;

/// `/api/v1/tenants`: who jobs belong to, and what they may have.
final class TenantPages {
    private final Supplier<View> views;
    private final Lookups lookups;
    private final TenantIntake intake;
    private final Bodies bodies;
    private final Commands commands;
    private final Tokens tokens;
    private final boolean memoryPerGpu;

    /// @param memoryPerGpu whether quotas count GPU memory for every GPU
    TenantPages(
            Supplier<View> views,
            Lookups lookups,
            TenantIntake intake,
            Bodies bodies,
            Commands commands,
            Tokens tokens,
            boolean memoryPerGpu) {
        this.views = views;
        this.lookups = lookups;
        this.intake = intake;
        this.bodies = bodies;
        this.commands = commands;
        this.tokens = tokens;
        this.memoryPerGpu = memoryPerGpu;
    }

    Reply list(Asked asked) {
        List<TenantRow> rows =
                views.get().tenants().all().stream()
                        .filter(row -> asked.caller().mayTouch(row.tenant().id()))
                        .toList();
        var out = new JsonOut(1 << 12).object().name("tenants").array();
        for (TenantRow row : asked.page(rows)) {
            TenantJson.fields(row, memoryPerGpu, out.object());
            out.endObject();
        }
        return Reply.ok(out.endArray().field("total", rows.size()).endObject());
    }

    Reply show(Asked asked) {
        var out = new JsonOut(1 << 10).object();
        TenantJson.fields(lookups.tenant(asked), memoryPerGpu, out);
        return Reply.ok(out.endObject());
    }

    Reply create(Asked asked) {
        return made(201, commands.taken(() -> intake.create(bodies.object(asked), asked.caller())));
    }

    Reply change(Asked asked) {
        return made(
                200,
                commands.taken(
                        () ->
                                intake.change(
                                        bodies.object(asked),
                                        () -> lookups.tenant(asked).tenant(),
                                        asked.caller())));
    }

    Reply remove(Asked asked) {
        TenantId id = lookups.tenant(asked).tenant().id();
        commands.run(new Command.RemoveTenant(id, asked.caller().label()));
        tokens.revoke(
                token -> token.kind() == Token.Kind.MEMBER && token.subject().equals(id.name()));
        return Reply.message("Tenant " + id + " removed");
    }

    private Reply made(int status, Taken.Done<Tenant> done) {
        TenantRow row = views.get().tenants().row(done.what().id());
        if (row == null) {
            throw Fault.unknown("tenant", done.what().id().name(), "/api/v1/tenants");
        }
        var out = new JsonOut(1 << 10).object();
        TenantJson.fields(row, memoryPerGpu, out);
        Bodies.warnings(done.warnings(), out);
        return Reply.json(status, out.endObject());
    }
}
