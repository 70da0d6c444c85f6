package io.gpusched.server.http;

import io.gpusched.core.event.Command;
import io.gpusched.core.learn.Score;
import io.gpusched.server.learn.ScoreDesk;
import io.gpusched.wire.request.MalformedException;
import io.gpusched.wire.request.ObserveRequest;
import io.gpusched.wire.request.ScoreRequest;
import io.gpusched.wire.request.Tree;
import io.gpusched.wire.request.Violation;

import java.util.List;

/// `/v1/score` and `/v1/observe`, in the words of the published scheduler agent.
final class ScorePages {
    private static final String SELECTED_BY = "gpu.nvidia.com/class";

    private final ScoreDesk desk;
    private final Bodies bodies;
    private final Commands commands;

    ScorePages(ScoreDesk desk, Bodies bodies, Commands commands) {
        this.desk = desk;
        this.bodies = bodies;
        this.commands = commands;
    }

    Reply score(Asked asked) {
        ScoreRequest request =
                switch (ScoreRequest.read(body(asked))) {
                    case ScoreRequest.Result.Valid valid -> valid.request();
                    case ScoreRequest.Result.Invalid invalid ->
                            throw Fault.unprocessable(invalid.violations());
                };
        if (request.candidates().isEmpty()) {
            throw Fault.invalid("candidate_gpu_types", "No candidate GPU types provided", "");
        }
        Score score = desk.score(request);
        if (score == null) {
            throw Fault.invalid(
                    "candidate_gpu_types",
                    "No candidate GPU type has the " + request.memoryGb() + " GB that are needed",
                    "");
        }
        return Reply.ok(json(score, request.candidates().get(score.chosen())));
    }

    private static JsonOut json(Score score, String chosen) {
        var out = new JsonOut(512).object().field("priority_score", score.priority());
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

    /// Answered when what was told cannot be lost any more.
    Reply observe(Asked asked) {
        ObserveRequest request =
                switch (ObserveRequest.read(body(asked))) {
                    case ObserveRequest.Result.Valid valid -> valid.request();
                    case ObserveRequest.Result.Invalid invalid ->
                            throw Fault.unprocessable(invalid.violations());
                };
        var out = new JsonOut().object().field("status", "ok");
        if (request.failed()) {
            Bodies.warnings(
                    List.of("the run did not succeed, so nothing was learned from its time"), out);
            return Reply.ok(out.endObject());
        }
        commands.run(
                new Command.Observe(
                        request.kind(),
                        desk.gpuModel(request.gpuType()),
                        request.ran(),
                        request.neighbours(),
                        request.features(),
                        asked.caller().label()));
        return Reply.ok(out.endObject());
    }

    private Tree.Mapping body(Asked asked) {
        byte[] body = asked.body();
        try {
            return bodies.parse(body);
        } catch (MalformedException e) {
            throw e.tooLarge()
                    ? Fault.tooLarge(bodies.mostBytes())
                    : Fault.unprocessable(List.of(Violation.malformed(e.says())));
        }
    }
}
