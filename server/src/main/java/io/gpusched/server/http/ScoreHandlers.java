package io.gpusched.server.http;

import io.gpusched.core.event.Command;
import io.gpusched.core.learn.Score;
import io.gpusched.server.learn.ScoreService;
import io.gpusched.wire.request.FieldViolation;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.MalformedException;
import io.gpusched.wire.request.ObserveRequest;
import io.gpusched.wire.request.Parsed;
import io.gpusched.wire.request.ScoreRequest;

import java.util.List;

/// `/v1/score` and `/v1/observe`, in the form of the published scheduler agent.
final class ScoreHandlers {
    private static final String SELECTED_BY = "gpu.nvidia.com/class";

    private final ScoreService service;
    private final RequestBodies requestBodies;
    private final CommandSender commandSender;

    ScoreHandlers(ScoreService service, RequestBodies requestBodies, CommandSender commandSender) {
        this.service = service;
        this.requestBodies = requestBodies;
        this.commandSender = commandSender;
    }

    Response score(Request request) {
        ScoreRequest question =
                switch (ScoreRequest.read(body(request))) {
                    case Parsed.Valid(var valid, _) -> valid;
                    case Parsed.Invalid(var violations) ->
                            throw HttpError.unprocessable(violations);
                };
        if (question.candidates().isEmpty()) {
            throw HttpError.invalid("candidate_gpu_types", "No candidate GPU types provided", "");
        }
        Score score = service.score(question);
        if (score == null) {
            throw HttpError.invalid(
                    "candidate_gpu_types",
                    "No candidate GPU type has the " + question.memoryGb() + " GB that are needed",
                    "");
        }
        return Response.ok(json(score, question.candidates().get(score.chosen())));
    }

    private static JsonOutput json(Score score, String chosen) {
        var out = new JsonOutput(512).object().field("priority_score", score.priority());
        out.name("gpu_selector").object();
        out.name("nodeSelector").object().field(SELECTED_BY, chosen).endObject();
        out.name("tolerations").array().object().field("key", "nvidia.com/gpu");
        out.field("operator", "Exists").field("effect", "NoSchedule").endObject().endArray();
        out.endObject();
        out.field("avoid_co_locate_with", score.avoid());
        out.name("terms").object().field("mu", score.mean()).field("sigma", score.sigma());
        out.field("ig", score.information()).field("penalty", score.penalty());
        out.field("cost", score.cost()).field("chosen_gpu", chosen).endObject();
        return out.endObject();
    }

    /// Records an observed run. The response is sent when the observation is durable.
    Response observe(Request request) {
        ObserveRequest observation =
                switch (ObserveRequest.read(body(request))) {
                    case Parsed.Valid(var valid, _) -> valid;
                    case Parsed.Invalid(var violations) ->
                            throw HttpError.unprocessable(violations);
                };
        var out = new JsonOutput().object().field("status", "ok");
        if (observation.failed()) {
            RequestBodies.warnings(
                    List.of("the run did not succeed, so nothing was learned from its time"), out);
            return Response.ok(out.endObject());
        }
        commandSender.run(
                new Command.Observe(
                        observation.kind(),
                        service.gpuModel(observation.gpuType()),
                        observation.ran(),
                        observation.neighbours(),
                        observation.features(),
                        request.caller().label()));
        return Response.ok(out.endObject());
    }

    private JsonTree.Mapping body(Request request) {
        byte[] body = request.body();
        try {
            return requestBodies.parse(body);
        } catch (MalformedException e) {
            throw e.tooLarge()
                    ? HttpError.tooLarge(requestBodies.mostBytes())
                    : HttpError.unprocessable(List.of(FieldViolation.malformed(e.says())));
        }
    }
}
