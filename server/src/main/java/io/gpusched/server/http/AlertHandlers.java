package io.gpusched.server.http;

import io.gpusched.server.alert.Alert;
import io.gpusched.server.alert.AlertCondition;
import io.gpusched.server.alert.AlertJson;
import io.gpusched.server.alert.AlertWatch;
import io.gpusched.server.alert.WatchedCondition;
import io.gpusched.server.webhook.WebhookResult;
import io.gpusched.server.webhook.Webhooks;
import io.gpusched.wire.request.Parsed;
import io.gpusched.wire.request.SilenceRequest;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// `/api/v1/alerts`: what fires, what was resolved recently, what is watched, and silences. A
/// tenant sees only the alerts about itself.
final class AlertHandlers {
    private static final List<String> STATES = List.of("firing", "resolved");

    private final AlertWatch watch;
    private final Webhooks webhooks;
    private final RequestBodies requestBodies;

    AlertHandlers(AlertWatch watch, Webhooks webhooks, RequestBodies requestBodies) {
        this.watch = watch;
        this.webhooks = webhooks;
        this.requestBodies = requestBodies;
    }

    Response list(Request request) {
        String state = request.query("state");
        if (!state.isEmpty() && !STATES.contains(state)) {
            throw HttpError.invalid(
                    "state",
                    "state is \"" + state + "\"",
                    "write firing or resolved, or leave state out for both");
        }
        List<Alert> found =
                watch.all().stream()
                        .filter(alert -> state.isEmpty() || alert.state().equals(state))
                        .filter(alert -> alert.subject().isVisibleTo(request.caller()))
                        .toList();
        var out = new JsonOutput(1 << 12).object().name("alerts").array();
        request.page(found).forEach(alert -> out.written(AlertJson.of(alert).toString()));
        out.endArray().field("total", found.size());
        if (request.caller().isAdmin()) {
            out.field("suppressed", watch.suppressed());
        }
        out.name("conditions").array();
        watch.conditions().forEach(watched -> write(watched, out));
        return Response.ok(out.endArray().endObject());
    }

    private static void write(WatchedCondition watched, JsonOutput out) {
        AlertCondition condition = watched.condition();
        out.object().field("name", condition.name().shown()).field("enabled", watched.enabled());
        out.field("threshold", condition.threshold());
        out.field("for_seconds", watched.hold().toSeconds());
        out.field("setting", condition.name().setting()).endObject();
    }

    Response silence(Request request) {
        SilenceRequest wanted =
                switch (SilenceRequest.read(requestBodies.object(request))) {
                    case Parsed.Invalid(var problems) -> throw HttpError.of(problems);
                    case Parsed.Valid(var valid, _) -> valid;
                };
        String by = request.caller().label();
        return alert(
                watch.silence(request.path("id"), wanted.time(), by, wanted.reason()), request);
    }

    Response endSilence(Request request) {
        return alert(watch.endSilence(request.path("id")), request);
    }

    private static Response alert(@Nullable Alert alert, Request request) {
        if (alert == null) {
            throw HttpError.unknown("alert", request.path("id"), "/api/v1/alerts");
        }
        return Response.ok(new JsonOutput().written(AlertJson.of(alert).toString()));
    }

    /// Sends a test message to every webhook.
    Response test(Request request) {
        List<WebhookResult> results = webhooks.test();
        var out = new JsonOutput().object().name("webhooks").array();
        for (WebhookResult result : results) {
            out.object().field("name", result.webhook()).field("delivered", result.isDelivered());
            out.name("status");
            if (result.status() == 0) {
                out.value((String) null);
            } else {
                out.value(result.status());
            }
            out.field("error", result.isDelivered() ? null : result.trouble()).endObject();
        }
        return Response.ok(out.endArray().field("total", results.size()).endObject());
    }
}
