package io.gpusched.server.http;

import io.gpusched.core.explain.Explainer;
import io.gpusched.core.explain.Preview;
import io.gpusched.core.model.JobId;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.intake.IntakeResult;
import io.gpusched.server.intake.JobIntake;
import io.gpusched.server.view.CallerTexts;
import io.gpusched.server.view.ReasonSource;

import java.time.InstantSource;
import java.util.List;

/// `POST /api/v1/jobs`: submits a job, or with `?dry_run=true` previews what would happen to it.
final class SubmissionHandler {
    private final JobIntake intake;
    private final RequestBodies requestBodies;
    private final CommandSender commandSender;
    private final Follower follower;
    private final ReasonSource reasonSource;
    private final CallerTexts callerTexts;
    private final InstantSource clock;

    SubmissionHandler(
            JobIntake intake,
            RequestBodies requestBodies,
            CommandSender commandSender,
            Follower follower,
            ReasonSource reasonSource,
            CallerTexts callerTexts,
            InstantSource clock) {
        this.intake = intake;
        this.requestBodies = requestBodies;
        this.commandSender = commandSender;
        this.follower = follower;
        this.reasonSource = reasonSource;
        this.callerTexts = callerTexts;
        this.clock = clock;
    }

    Response submit(Request request) {
        byte[] body = request.body();
        String key = request.header(Request.IDEMPOTENCY_KEY);
        if (request.flag("dry_run")) {
            return preview(request, key, body);
        }
        IntakeResult.Accepted<JobId> accepted =
                commandSender.accepted(
                        () ->
                                intake.submit(
                                        requestBodies.object(body), request.caller(), key, body));
        var out = new JsonOutput().object().field("job_id", accepted.what().toString());
        out.field("status", "submitted").field("message", "Job submitted successfully");
        RequestBodies.warnings(accepted.warnings(), out);
        return Response.json(201, out.endObject());
    }

    /// The follower answers a preview: it has applied all durable batches and cannot change the
    /// cell.
    private Response preview(Request request, String key, byte[] body) {
        IntakeResult.Accepted<Preview> accepted =
                commandSender.accepted(
                        () ->
                                intake.preview(
                                        requestBodies.object(body),
                                        request.caller(),
                                        key,
                                        body,
                                        command ->
                                                follower.ask(
                                                        engine ->
                                                                new Explainer(
                                                                                engine,
                                                                                clock.instant())
                                                                        .preview(command))));
        var out = new JsonOutput(1 << 10).object().field("dry_run", true);
        switch (accepted.what()) {
            case Preview.Refused refused -> throw HttpError.of(refused.problems());
            case Preview.Repeats repeats ->
                    out.field("verdict", "repeats")
                            .field("job_id", repeats.job().toString())
                            .field("summary", "it was submitted before with this key");
            case Preview.Accepted preview -> {
                out.field("verdict", verdict(preview));
                new ExplanationJson(out, reasonSource.now(), request.caller(), callerTexts)
                        .fields(
                                preview.job(),
                                preview.explanation(),
                                preview.explanation().terms());
            }
        }
        out.field("warnings", List.copyOf(accepted.warnings()));
        return Response.ok(out.endObject());
    }

    private static String verdict(Preview.Accepted accepted) {
        if (accepted.explanation().place() == null) {
            return accepted.job().waiting() ? "waits" : "held";
        }
        return accepted.explanation().victims().isEmpty() ? "starts" : "makes_room";
    }
}
