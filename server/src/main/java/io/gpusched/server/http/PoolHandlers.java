package io.gpusched.server.http;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;
import io.gpusched.core.event.Report;
import io.gpusched.core.pool.PoolId;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.intake.IntakeResult;
import io.gpusched.server.intake.PoolIntake;
import io.gpusched.server.view.PoolRow;
import io.gpusched.server.view.View;
import io.gpusched.wire.pool.LoadRequest;
import io.gpusched.wire.pool.ScaleRequest;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.Parsed;
import io.helidon.http.HeaderNames;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32C;

/// `/api/v1/pools`: list, show, put, change, remove and scale pools, and take reports of their
/// load.
final class PoolHandlers {
    private static final byte[] NOTHING = new byte[0];

    private final HandlerContext context;
    private final PoolIntake intake;

    PoolHandlers(HandlerContext context, PoolIntake intake) {
        this.context = context;
        this.intake = intake;
    }

    /// A gateway asks often, so an answer that has not changed is not sent again.
    Response list(Request request) {
        request.onlyParameters("tenant", "limit", "offset");
        View view = context.views.get();
        String tenant = request.query("tenant");
        List<PoolRow> rows =
                view.pools().rows().all().stream()
                        .filter(row -> request.caller().mayTouch(row.pool().tenant()))
                        .filter(
                                row ->
                                        tenant.isEmpty()
                                                || row.pool().tenant().name().equals(tenant))
                        .sorted(Comparator.comparing(row -> row.pool().id()))
                        .toList();
        var out = new JsonOutput(1 << 12).object().name("pools").array();
        var json = new PoolJson(out, view, context.clock.instant());
        for (PoolRow row : request.page(rows)) {
            out.object();
            json.fields(row);
            out.endObject();
        }
        return tagged(request, out.endArray().field("total", rows.size()).endObject());
    }

    private static Response tagged(Request request, JsonOutput out) {
        byte[] body = out.toBytes();
        var sum = new CRC32C();
        sum.update(body);
        String tag = "\"%x-%x\"".formatted(body.length, sum.getValue());
        Map<String, String> headers =
                Map.of("ETag", tag, "Cache-Control", "private, no-cache", "Vary", "Authorization");
        return request.header(HeaderNames.IF_NONE_MATCH).contains(tag)
                ? new Response.Complete(304, Response.JSON, NOTHING, headers)
                : new Response.Complete(200, Response.JSON, body, headers);
    }

    Response show(Request request) {
        return Response.ok(written(row(request)).endObject());
    }

    private JsonOutput written(PoolRow row) {
        var out = new JsonOutput(1 << 11).object();
        new PoolJson(out, context.views.get(), context.clock.instant()).fields(row);
        return out;
    }

    /// The pool that the path names; a pool of another tenant is not found.
    PoolRow row(Request request) {
        return row(request.path("name"), request.caller());
    }

    private PoolRow row(String name, Caller caller) {
        return row(context.views.get(), name, caller);
    }

    static PoolRow row(View view, String name, Caller caller) {
        PoolRow row = name.isEmpty() ? null : view.pools().rows().row(new PoolId(name));
        if (row == null || !caller.mayTouch(row.pool().tenant())) {
            throw HttpError.unknown("pool", name, "/api/v1/pools");
        }
        return row;
    }

    Response put(Request request) {
        JsonTree.Mapping body = context.bodies.object(request);
        return made(
                request,
                context.sender.accepted(
                        () -> intake.put(request.path("name"), body, request.caller())));
    }

    Response change(Request request) {
        JsonTree.Mapping body = context.bodies.object(request);
        return made(
                request,
                context.sender.accepted(
                        () -> intake.change(() -> row(request), body, request.caller())));
    }

    private Response made(Request request, IntakeResult.Accepted<PoolIntake.Action> accepted) {
        PoolIntake.Action action = accepted.what();
        JsonOutput out = written(row(request));
        out.field("action", action.name().toLowerCase(Locale.ROOT));
        RequestBodies.warnings(accepted.warnings(), out);
        return Response.json(action == PoolIntake.Action.CREATED ? 201 : 200, out.endObject());
    }

    Response remove(Request request) {
        PoolId id = row(request).pool().id();
        context.sender.run(new Command.RemovePool(id, request.caller().label()));
        return Response.json(
                202,
                new JsonOutput()
                        .object()
                        .field("message", "the replicas of " + id + " stop, then it is removed")
                        .endObject());
    }

    Response scale(Request request) {
        PoolRow row = row(request);
        scale(context.bodies.object(request), row, request.caller());
        return Response.ok(written(row(request)).endObject());
    }

    /// The published form: `POST /v1/scale` with the pool in the body.
    Response scaleNamed(Request request) {
        JsonTree.Mapping body = context.bodies.object(request);
        JsonTree named = body.entries().get("pool");
        if (!(named instanceof JsonTree.Text(String name))) {
            throw HttpError.invalid("pool", "the request names no pool", "add \"pool\": \"chat\"");
        }
        scale(body, row(name, request.caller()), request.caller());
        return Response.ok(written(row(name, request.caller())).endObject());
    }

    private void scale(JsonTree.Mapping body, PoolRow row, Caller caller) {
        ScaleRequest read =
                switch (ScaleRequest.read(body)) {
                    case Parsed.Invalid(var problems) -> throw HttpError.of(problems, true);
                    case Parsed.Valid(var value, var _) -> value;
                };
        context.sender.run(
                new Command.ScalePool(
                        row.pool().id(), read.replicas(), read.reason(), caller.label()));
    }

    /// Takes a report of load. It is answered when it is durable.
    Response load(Request request) {
        PoolRow row = row(request);
        JsonTree.Mapping body = context.bodies.object(request);
        return switch (LoadRequest.read(body)) {
            case Parsed.Invalid(var problems) -> throw HttpError.of(problems, true);
            case Parsed.Valid(var load, var warnings) -> {
                List<Problem> refused =
                        context.sender.report(new Report.PoolLoad(row.pool().id(), load))
                                        instanceof Answer.Rejected rejected
                                ? rejected.problems()
                                : List.of();
                if (!refused.isEmpty()) {
                    throw HttpError.of(refused);
                }
                var out = new JsonOutput().object().field("message", "accepted");
                RequestBodies.warnings(warnings, out);
                yield Response.json(202, out.endObject());
            }
        };
    }
}
