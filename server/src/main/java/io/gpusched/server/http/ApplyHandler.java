package io.gpusched.server.http;

import io.gpusched.core.engine.PoolPreview;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.server.intake.ManifestIntake;
import io.gpusched.wire.request.MalformedException;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/// `POST /api/v1/apply`: manifests in YAML or JSON, all or none. The parameter `name` names a part
/// of a manifest that has no name.
final class ApplyHandler {
    private final HandlerContext context;
    private final ManifestIntake intake;

    ApplyHandler(HandlerContext context, ManifestIntake intake) {
        this.context = context;
        this.intake = intake;
    }

    Response apply(Request request) {
        request.onlyParameters("dry_run", "name");
        boolean dryRun = request.flag("dry_run");
        byte[] text = request.body();
        var accepted =
                readable(
                        () ->
                                context.sender.accepted(
                                        () ->
                                                intake.apply(
                                                        text,
                                                        request.query("name"),
                                                        request.caller(),
                                                        dryRun ? this::preview : null)));
        var out = new JsonOutput(1 << 10).object();
        if (dryRun) {
            out.field("dry_run", true);
        }
        out.name("applied").array();
        for (ManifestIntake.Applied each : accepted.what()) {
            out.object().field("kind", each.kind()).field("name", each.name());
            out.field("action", each.action().name().toLowerCase(Locale.ROOT)).endObject();
        }
        out.endArray().field("warnings", List.copyOf(accepted.warnings()));
        return Response.ok(out.endObject());
    }

    private Answer preview(Command.Apply command) {
        return context.follower.ask(
                engine -> PoolPreview.of(engine, command, context.clock.instant()));
    }

    private <T> T readable(Supplier<T> read) {
        try {
            return read.get();
        } catch (MalformedException e) {
            throw e.tooLarge()
                    ? HttpError.tooLarge(context.bodies.mostBytes())
                    : HttpError.invalid(
                            e.field(),
                            "Invalid request body: " + e.says(),
                            "send manifests in YAML or JSON without aliases, tags and repeated"
                                    + " keys");
        }
    }
}
