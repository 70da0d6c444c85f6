package io.gpusched.server.http;

import io.gpusched.core.engine.Placers;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.model.Nearest;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.server.whatif.Asking;
import io.gpusched.server.whatif.Shadow;
import io.gpusched.server.whatif.WhatIfDesk;
import io.gpusched.sim.whatif.BadQuestion;
import io.gpusched.sim.whatif.Question;
import io.gpusched.sim.whatif.Shadowing;
import io.gpusched.sim.whatif.Verdict;
import io.gpusched.sim.whatif.VerdictText;
import io.gpusched.wire.request.WhatIfRequest;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/// `/api/v1/what-if` and `/api/v1/shadow`: what another policy would have done, and does.
final class WhatIfPages {
    private static final String PATH = "/api/v1/what-if";

    private final WhatIfDesk desk;
    private final Shadow shadow;
    private final PolicySettings rules;
    private final Bodies bodies;

    WhatIfPages(WhatIfDesk desk, Shadow shadow, PolicySettings rules, Bodies bodies) {
        this.desk = desk;
        this.shadow = shadow;
        this.rules = rules;
        this.bodies = bodies;
    }

    Reply ask(Asked asked) {
        Question question =
                switch (WhatIfRequest.read(bodies.object(asked))) {
                    case WhatIfRequest.Result.Invalid invalid -> throw Fault.of(invalid.problems());
                    case WhatIfRequest.Result.Valid valid -> question(valid);
                };
        Asking asking = desk.ask(question);
        if (asking == null) {
            throw Fault.busy(
                    "another question about the past is being answered, one at a time is",
                    "ask again when it is done, or cancel it with DELETE " + PATH + "/{id}");
        }
        var out = new JsonOut(1 << 8);
        write(asking, false, out);
        return new Reply.Whole(
                202, Reply.JSON, out.toBytes(), Map.of("Location", PATH + "/" + asking.id()));
    }

    private Question question(WhatIfRequest.Result.Valid valid) {
        if (!valid.policy().isEmpty() && Policies.named(valid.policy(), rules) == null) {
            throw unknown("policy", valid.policy(), Policies.names(rules));
        }
        if (!valid.placement().isEmpty() && !Placers.NAMES.contains(valid.placement())) {
            throw unknown("placement", valid.placement(), Placers.NAMES);
        }
        try {
            return Question.since(valid.since(), valid.policy(), valid.placement());
        } catch (BadQuestion e) {
            throw Fault.invalid("since", String.valueOf(e.getMessage()), "");
        }
    }

    private static Fault unknown(String field, String found, List<String> known) {
        String nearest = Nearest.to(found, known);
        return Fault.invalid(
                field,
                "there is no " + field + " " + found,
                (nearest == null ? "" : "the nearest is " + nearest + "; ")
                        + "choose one of "
                        + String.join(", ", known));
    }

    Reply list(Asked asked) {
        var out = new JsonOut(1 << 10).object().name("what_ifs").array();
        List<Asking> all = desk.all();
        all.forEach(each -> write(each, false, out));
        return Reply.ok(out.endArray().field("total", all.size()).endObject());
    }

    Reply show(Asked asked) {
        var out = new JsonOut(1 << 12);
        write(found(asked), true, out);
        return Reply.ok(out);
    }

    Reply drop(Asked asked) {
        Asking asking = found(asked);
        boolean running = asking.state() == Asking.State.RUNNING;
        desk.drop(asking);
        return Reply.message(asking.id() + (running ? " is being cancelled" : " is forgotten"));
    }

    private Asking found(Asked asked) {
        Asking asking = desk.find(asked.path("id"));
        if (asking == null) {
            throw Fault.unknown("what_if", asked.path("id"), PATH);
        }
        return asking;
    }

    private static void write(Asking asking, boolean whole, JsonOut out) {
        Question question = asking.question();
        out.object().field("id", asking.id());
        out.field("state", asking.state().name().toLowerCase(Locale.ROOT));
        out.field("progress", asking.progress()).field("asked_at", asking.asked());
        out.field("policy", question.policy()).field("placement", question.placer());
        out.field("result_url", PATH + "/" + asking.id());
        if (!asking.failure().isEmpty()) {
            out.field("error", asking.failure());
        }
        Verdict verdict = asking.verdict();
        if (whole && verdict != null) {
            out.name("result").written(VerdictText.json(verdict));
        }
        out.endObject();
    }

    Reply shadow(Asked asked) {
        var out = new JsonOut(1 << 12).object();
        out.field("enabled", !shadow.policy().isEmpty());
        out.field("running", shadow.stopped().isEmpty());
        if (!shadow.policy().isEmpty()) {
            out.field("policy", shadow.policy());
            if (!shadow.stopped().isEmpty()) {
                out.field("stopped", shadow.stopped());
            }
        } else {
            out.field("hint", "name a policy in scheduler.shadow_policy and start again");
        }
        Shadowing.Picture seen = shadow.picture();
        if (seen != null) {
            out.name("seen").written(VerdictText.json(seen));
        }
        return Reply.ok(out.endObject());
    }
}
