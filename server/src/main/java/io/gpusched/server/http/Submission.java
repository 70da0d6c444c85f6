package io.gpusched.server.http;

import io.gpusched.core.model.JobId;
import io.gpusched.server.intake.JobIntake;
import io.gpusched.server.intake.Taken;

/// `POST /api/v1/jobs`.
final class Submission {
    private final JobIntake intake;
    private final Bodies bodies;
    private final Commands commands;

    Submission(JobIntake intake, Bodies bodies, Commands commands) {
        this.intake = intake;
        this.bodies = bodies;
        this.commands = commands;
    }

    Reply submit(Asked asked) {
        byte[] body = asked.body();
        String key = asked.header(Asked.IDEMPOTENCY_KEY);
        Taken.Done<JobId> done =
                commands.taken(() -> intake.submit(bodies.object(body), asked.caller(), key, body));
        var out = new JsonOut().object().field("job_id", done.what().toString());
        out.field("status", "submitted").field("message", "Job submitted successfully");
        Bodies.warnings(done.warnings(), out);
        return Reply.json(201, out.endObject());
    }
}
