package io.gpusched.server.http;

import io.gpusched.core.explain.Advice;
import io.gpusched.core.model.JobId;
import io.gpusched.server.cell.Follower;

import java.time.InstantSource;

/// `GET /api/v1/defrag`: which moves would let a waiting job start. Only advice; nothing is moved.
final class AdvicePages {
    private final Follower follower;
    private final InstantSource clock;

    AdvicePages(Follower follower, InstantSource clock) {
        this.follower = follower;
        this.clock = clock;
    }

    Reply defragment(Asked asked) {
        String name = asked.query("job");
        JobId job = name.isEmpty() ? null : JobId.parse(name);
        if (!name.isEmpty() && (job == null || follower.view().job(job) == null)) {
            throw Fault.unknownJob(name);
        }
        Advice advice =
                follower.ask(
                        engine ->
                                job == null
                                        ? engine.defragment(clock.instant())
                                        : engine.defragment(job, clock.instant()));
        var out = new JsonOut(1 << 10).object();
        out.field("job_id", advice.job() == null ? null : advice.job().toString());
        out.field("summary", advice.summary());
        out.field("place", advice.place() == null ? null : advice.place().toString());
        out.field("lost_gpu_seconds", advice.lostMilliGpuSeconds() / 1000.0);
        out.name("moves").array();
        for (Advice.Move move : advice.moves()) {
            out.object().field("job_id", move.job().toString());
            out.field("tenant_id", move.tenant().name());
            out.field("from", move.from().toString()).field("to", move.to().toString());
            out.field("lost_gpu_seconds", move.lostMilliGpuSeconds() / 1000.0).endObject();
        }
        return Reply.ok(out.endArray().endObject());
    }
}
