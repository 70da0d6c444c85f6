package io.gpusched.server.http;

import io.gpusched.core.event.Event;
import io.gpusched.core.explain.Explanation;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.Term;
import io.gpusched.core.policy.Victims;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.view.Past;
import io.gpusched.server.view.Reasons;
import io.gpusched.server.view.Setbacks;
import io.gpusched.server.view.Shown;
import io.gpusched.server.view.Starts;
import io.gpusched.server.view.View;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// `/api/v1/jobs/{id}/explain` and `/events`: why a job is where it is, and how it got there.
final class JobStories {
    private final Follower follower;
    private final Starts starts;
    private final Past past;
    private final Lookups lookups;
    private final InstantSource clock;

    JobStories(Follower follower, Past past, Lookups lookups, Starts starts, InstantSource clock) {
        this.follower = follower;
        this.starts = starts;
        this.past = past;
        this.lookups = lookups;
        this.clock = clock;
    }

    Reply explain(Asked asked) {
        Job job = lookups.present(asked);
        View view = follower.view();
        JobId id = job.id();
        Explanation why = follower.ask(engine -> engine.explain(id, clock.instant()));
        var out = new JsonOut(1 << 10).object();
        out.field("job_id", id.toString()).field("state", Shown.of(job).toString());
        String reason = Reasons.of(job, view);
        if (!reason.isEmpty() && !reason.equals(why.summary()) && job.phase().run() != null) {
            out.field("reason", reason);
        }
        out.field("last_failure", Setbacks.last(job, past));
        var json = new JobJson(out, view, Map.of(), starts, follower.tries());
        json.start(job);
        json.places(job);
        json.idle(job);
        String because = because(job);
        List<Term> terms = why.terms().isEmpty() ? Term.read(because) : why.terms();
        var explanation = new ExplanationJson(out, view, asked.caller());
        explanation.fields(job, why, terms);
        explanation.preempted(Victims.read(because));
        return Reply.ok(out.endObject());
    }

    /// What decided on the place that the job has, from the record of when it got it.
    private String because(Job job) {
        if (job.phase().run() == null) {
            return "";
        }
        String because = "";
        for (Event event : past.events(job.id())) {
            if (event instanceof Event.AttemptPlaced placed) {
                because = placed.because();
            }
        }
        return because;
    }

    Reply events(Asked asked) {
        Job job = lookups.job(asked);
        var out = new JsonOut(1 << 10).object().name("events").array();
        int total = 0;
        for (Event event : past.events(job.id())) {
            if (!(event instanceof Event.TaskChanged)) {
                out.object().field("at", event.at()).field("kind", EventWords.kind(event));
                out.field("message", EventWords.message(event)).endObject();
                total++;
            }
        }
        return Reply.ok(out.endArray().field("total", total).endObject());
    }
}
