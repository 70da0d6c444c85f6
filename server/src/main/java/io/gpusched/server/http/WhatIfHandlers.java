package io.gpusched.server.http;

import io.gpusched.core.engine.PlacementStrategies;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.model.SpellingSuggestion;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.server.whatif.ShadowPolicy;
import io.gpusched.server.whatif.WhatIfRun;
import io.gpusched.server.whatif.WhatIfService;
import io.gpusched.sim.whatif.InvalidWhatIf;
import io.gpusched.sim.whatif.ShadowReplay;
import io.gpusched.sim.whatif.WhatIfQuestion;
import io.gpusched.sim.whatif.WhatIfResult;
import io.gpusched.sim.whatif.WhatIfText;
import io.gpusched.wire.request.Parsed;
import io.gpusched.wire.request.WhatIfRequest;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/// `/api/v1/what-if` and `/api/v1/shadow`: what another policy would have decided in the past, and
/// what the shadow policy decides now.
final class WhatIfHandlers {
    private static final String PATH = "/api/v1/what-if";

    private final WhatIfService service;
    private final ShadowPolicy shadowPolicy;
    private final PolicySettings rules;
    private final RequestBodies requestBodies;

    WhatIfHandlers(
            WhatIfService service,
            ShadowPolicy shadowPolicy,
            PolicySettings rules,
            RequestBodies requestBodies) {
        this.service = service;
        this.shadowPolicy = shadowPolicy;
        this.rules = rules;
        this.requestBodies = requestBodies;
    }

    Response ask(Request request) {
        WhatIfQuestion whatIfQuestion =
                switch (WhatIfRequest.read(requestBodies.object(request))) {
                    case Parsed.Invalid(var problems) -> throw HttpError.of(problems);
                    case Parsed.Valid(var valid, _) -> question(valid);
                };
        WhatIfRun whatIfRun = service.ask(whatIfQuestion);
        if (whatIfRun == null) {
            throw HttpError.busy(
                    "a what-if is already running; only one runs at a time",
                    "retry when it is done, or cancel it with DELETE " + PATH + "/{id}");
        }
        var out = new JsonOutput(1 << 8);
        write(whatIfRun, false, out);
        return new Response.Complete(
                202, Response.JSON, out.toBytes(), Map.of("Location", PATH + "/" + whatIfRun.id()));
    }

    private WhatIfQuestion question(WhatIfRequest valid) {
        if (!valid.policy().isEmpty() && Policies.named(valid.policy(), rules) == null) {
            throw unknown("policy", valid.policy(), Policies.names(rules));
        }
        if (!valid.placement().isEmpty()
                && !PlacementStrategies.NAMES.contains(valid.placement())) {
            throw unknown("placement", valid.placement(), PlacementStrategies.NAMES);
        }
        try {
            return WhatIfQuestion.since(valid.since(), valid.policy(), valid.placement());
        } catch (InvalidWhatIf e) {
            throw HttpError.invalid("since", String.valueOf(e.getMessage()), "");
        }
    }

    static HttpError unknown(String field, String found, List<String> known) {
        String nearest = SpellingSuggestion.to(found, known);
        return HttpError.invalid(
                field,
                "there is no " + field + " " + found,
                (nearest == null ? "" : "the nearest is " + nearest + "; ")
                        + "choose one of "
                        + String.join(", ", known));
    }

    Response list(Request request) {
        var out = new JsonOutput(1 << 10).object().name("what_ifs").array();
        List<WhatIfRun> all = service.all();
        all.forEach(each -> write(each, false, out));
        return Response.ok(out.endArray().field("total", all.size()).endObject());
    }

    Response show(Request request) {
        var out = new JsonOutput(1 << 12);
        write(found(request), true, out);
        return Response.ok(out);
    }

    Response drop(Request request) {
        WhatIfRun whatIfRun = found(request);
        boolean running = whatIfRun.state() == WhatIfRun.State.RUNNING;
        service.drop(whatIfRun);
        return Response.message(whatIfRun.id() + (running ? " is being cancelled" : " is deleted"));
    }

    private WhatIfRun found(Request request) {
        WhatIfRun whatIfRun = service.find(request.path("id"));
        if (whatIfRun == null) {
            throw HttpError.unknown("what_if", request.path("id"), PATH);
        }
        return whatIfRun;
    }

    private static void write(WhatIfRun whatIfRun, boolean whole, JsonOutput out) {
        WhatIfQuestion whatIfQuestion = whatIfRun.whatIfQuestion();
        out.object().field("id", whatIfRun.id());
        out.field("state", whatIfRun.state().name().toLowerCase(Locale.ROOT));
        out.field("progress", whatIfRun.progress()).field("asked_at", whatIfRun.asked());
        out.field("policy", whatIfQuestion.policy()).field("placement", whatIfQuestion.placer());
        out.field("result_url", PATH + "/" + whatIfRun.id());
        if (!whatIfRun.failure().isEmpty()) {
            out.field("error", whatIfRun.failure());
        }
        WhatIfResult whatIfResult = whatIfRun.whatIfResult();
        if (whole && whatIfResult != null) {
            out.name("result").written(WhatIfText.json(whatIfResult));
        }
        out.endObject();
    }

    Response shadow(Request request) {
        var out = new JsonOutput(1 << 12).object();
        out.field("enabled", !shadowPolicy.policy().isEmpty());
        out.field("running", shadowPolicy.stopped().isEmpty());
        if (!shadowPolicy.policy().isEmpty()) {
            out.field("policy", shadowPolicy.policy());
            out.field("resyncs", shadowPolicy.resyncs().count());
            if (!shadowPolicy.resyncs().last().isEmpty()) {
                out.field("last_resync", shadowPolicy.resyncs().last());
            }
            if (!shadowPolicy.stopped().isEmpty()) {
                out.field("stopped", shadowPolicy.stopped());
            }
        } else {
            out.field("hint", "name a policy in scheduler.shadow_policy and restart the scheduler");
        }
        ShadowReplay.Picture seen = shadowPolicy.picture();
        if (seen != null) {
            out.name("seen").written(WhatIfText.json(seen));
        }
        return Response.ok(out.endObject());
    }
}
