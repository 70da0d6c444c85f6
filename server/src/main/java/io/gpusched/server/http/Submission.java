package io.gpusched.server.http;

import io.gpusched.core.explain.Preview;
import io.gpusched.core.model.JobId;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.intake.JobIntake;
import io.gpusched.server.intake.Taken;

import java.time.InstantSource;
import java.util.List;

/// `POST /api/v1/jobs`, and with `?dry_run=true` what would become of it.
final class Submission {
    private final JobIntake intake;
    private final Bodies bodies;
    private final Commands commands;
    private final Follower follower;
    private final InstantSource clock;

    Submission(
            JobIntake intake,
            Bodies bodies,
            Commands commands,
            Follower follower,
            InstantSource clock) {
        this.intake = intake;
        this.bodies = bodies;
        this.commands = commands;
        this.follower = follower;
        this.clock = clock;
    }

    Reply submit(Asked asked) {
        byte[] body = asked.body();
        String key = asked.header(Asked.IDEMPOTENCY_KEY);
        if (asked.flag("dry_run")) {
            return preview(asked, key, body);
        }
        Taken.Done<JobId> done =
                commands.taken(() -> intake.submit(bodies.object(body), asked.caller(), key, body));
        var out = new JsonOut().object().field("job_id", done.what().toString());
        out.field("status", "submitted").field("message", "Job submitted successfully");
        Bodies.warnings(done.warnings(), out);
        return Reply.json(201, out.endObject());
    }

    /// Asked of the follower, which knows all that is durable and can change nothing.
    private Reply preview(Asked asked, String key, byte[] body) {
        Taken.Done<Preview> done =
                commands.taken(
                        () ->
                                intake.preview(
                                        bodies.object(body),
                                        asked.caller(),
                                        key,
                                        body,
                                        command ->
                                                follower.ask(
                                                        engine ->
                                                                engine.preview(
                                                                        command,
                                                                        clock.instant()))));
        var out = new JsonOut(1 << 10).object().field("dry_run", true);
        switch (done.what()) {
            case Preview.Refused refused -> throw Fault.of(refused.problems());
            case Preview.Repeats repeats ->
                    out.field("verdict", "repeats")
                            .field("job_id", repeats.job().toString())
                            .field("summary", "it was submitted before with this key");
            case Preview.Taken taken -> {
                out.field("verdict", verdict(taken));
                new ExplanationJson(out, follower.view(), asked.caller())
                        .fields(taken.job(), taken.explanation(), taken.explanation().terms());
            }
        }
        out.field("warnings", List.copyOf(done.warnings()));
        return Reply.ok(out.endObject());
    }

    private static String verdict(Preview.Taken taken) {
        if (taken.explanation().place() == null) {
            return taken.job().waiting() ? "waits" : "held";
        }
        return taken.explanation().victims().isEmpty() ? "starts" : "makes_room";
    }
}
