package io.gpusched.server.http;

import io.gpusched.core.explain.DefragmentationAdvice;
import io.gpusched.core.explain.Explainer;
import io.gpusched.core.model.JobId;
import io.gpusched.server.cell.Follower;

import java.time.InstantSource;

/// `GET /api/v1/defrag`: which moves would let a waiting job start. Only advice; nothing is moved.
final class DefragHandlers {
    private final Follower follower;
    private final InstantSource clock;

    DefragHandlers(Follower follower, InstantSource clock) {
        this.follower = follower;
        this.clock = clock;
    }

    Response defragment(Request request) {
        String name = request.query("job");
        JobId job = name.isEmpty() ? null : JobId.parse(name);
        if (!name.isEmpty() && (job == null || follower.view().job(job) == null)) {
            throw HttpError.unknownJob(name);
        }
        DefragmentationAdvice defragmentationAdvice =
                follower.ask(
                        engine ->
                                job == null
                                        ? new Explainer(engine, clock.instant()).defragment()
                                        : new Explainer(engine, clock.instant()).defragment(job));
        var out = new JsonOutput(1 << 10).object();
        out.field(
                "job_id",
                defragmentationAdvice.job() == null
                        ? null
                        : defragmentationAdvice.job().toString());
        out.field("summary", defragmentationAdvice.summary());
        out.field(
                "place",
                defragmentationAdvice.place() == null
                        ? null
                        : defragmentationAdvice.place().toString());
        out.field("lost_gpu_seconds", defragmentationAdvice.lostMilliGpuSeconds() / 1000.0);
        out.name("moves").array();
        for (DefragmentationAdvice.Move move : defragmentationAdvice.moves()) {
            out.object().field("job_id", move.job().toString());
            out.field("tenant_id", move.tenant().name());
            out.field("from", move.from().toString()).field("to", move.to().toString());
            out.field("lost_gpu_seconds", move.lostMilliGpuSeconds() / 1000.0).endObject();
        }
        return Response.ok(out.endArray().endObject());
    }
}
