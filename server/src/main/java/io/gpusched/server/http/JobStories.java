package io.gpusched.server.http;

import io.gpusched.core.engine.Explanation;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.Lift;
import io.gpusched.core.policy.Reason;
import io.gpusched.core.policy.Term;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.view.Past;
import io.gpusched.server.view.Positions;
import io.gpusched.server.view.Shown;
import io.gpusched.server.view.View;

import java.time.InstantSource;
import java.util.List;

/// `/api/v1/jobs/{id}/explain` and `/events`: why a job is where it is, and how it got there.
final class JobStories {
    private final Follower follower;
    private final Past past;
    private final Lookups lookups;
    private final InstantSource clock;

    JobStories(Follower follower, Past past, Lookups lookups, InstantSource clock) {
        this.follower = follower;
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
        out.field("summary", why.summary());
        Long position = Positions.of(List.of(job), view).get(id);
        if (position == null) {
            out.empty("position");
        } else {
            out.field("position", position);
        }
        out.field("reserved_from", why.reserved());
        out.name("reasons").array();
        why.reasons().forEach(reason -> write(reason, out));
        out.endArray().name("score_terms").array();
        List<Term> terms = why.terms().isEmpty() ? recorded(job) : why.terms();
        double weights = Term.weights(terms);
        terms.forEach(term -> write(term, weights, out));
        out.endArray();
        if (terms.isEmpty()) {
            out.empty("score");
        } else {
            out.field("score", Term.points(terms));
        }
        return Reply.ok(out.endObject());
    }

    /// What decided on the place that the job has, from the record of when it got it.
    private List<Term> recorded(Job job) {
        if (job.phase().run() == null) {
            return List.of();
        }
        List<Term> terms = List.of();
        for (Event event : past.events(job.id())) {
            if (event instanceof Event.AttemptPlaced placed) {
                terms = Term.read(placed.because());
            }
        }
        return terms;
    }

    private static void write(Reason reason, JsonOut out) {
        out.object().field("by", reason.refusal().by()).field("why", reason.refusal().why());
        out.field("nodes", reason.nodes());
        out.field(
                "lifted_by", reason.refusal().liftedBy().stream().map(JobStories::words).toList());
        out.endObject();
    }

    private static void write(Term term, double weights, JsonOut out) {
        out.object().field("name", term.scorer()).field("weight", term.weight());
        out.field("value", rounded(term.cost()));
        out.field("contribution", rounded(term.weight() * term.cost() / weights));
        if (!term.note().isEmpty()) {
            out.field("note", term.note());
        }
        out.endObject();
    }

    private static double rounded(double value) {
        return Math.round(value * 10_000) / 10_000.0;
    }

    private static String words(Lift lift) {
        return switch (lift) {
            case Lift.Capacity capacity -> "capacity";
            case Lift.OfTenant of -> "tenant " + of.tenant();
            case Lift.At at -> "time " + at.when();
            case Lift.Fleet fleet -> "fleet";
        };
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
