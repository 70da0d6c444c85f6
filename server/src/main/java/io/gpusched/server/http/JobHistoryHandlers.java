package io.gpusched.server.http;

import io.gpusched.core.engine.DeadlineDecision;
import io.gpusched.core.engine.DeadlinePlan;
import io.gpusched.core.event.Event;
import io.gpusched.core.explain.Explainer;
import io.gpusched.core.explain.Explanation;
import io.gpusched.core.model.Job;
import io.gpusched.core.policy.ScoreTerm;
import io.gpusched.core.policy.VictimList;
import io.gpusched.core.state.DeadlineLedger;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.live.EventText;
import io.gpusched.server.view.CallerTexts;
import io.gpusched.server.view.PastJobs;
import io.gpusched.server.view.PublicState;
import io.gpusched.server.view.ReasonSource;
import io.gpusched.server.view.RequeueText;
import io.gpusched.server.view.StateReasons;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// `/api/v1/jobs/{id}/explain` and `/events`: why a job is in its state, and what happened to it.
final class JobHistoryHandlers {
    private final Follower follower;
    private final ReasonSource reasonSource;
    private final CallerTexts callerTexts;
    private final PastJobs pastJobs;
    private final Lookups lookups;
    private final InstantSource clock;

    JobHistoryHandlers(
            Follower follower,
            PastJobs pastJobs,
            Lookups lookups,
            ReasonSource reasonSource,
            CallerTexts callerTexts,
            InstantSource clock) {
        this.follower = follower;
        this.reasonSource = reasonSource;
        this.callerTexts = callerTexts;
        this.pastJobs = pastJobs;
        this.lookups = lookups;
        this.clock = clock;
    }

    /// The thread for queries also writes the answer: finding a position walks the queue, and on a
    /// virtual thread that would keep other requests from a processor until it is done.
    Response explain(Request request) {
        Job job = lookups.present(request);
        String lastFailure =
                callerTexts.of(request.caller()).apply(RequeueText.last(job, pastJobs));
        String because = because(job);
        return follower.ask(
                engine -> {
                    Explanation why = new Explainer(engine, clock.instant()).explain(job.id());
                    DeadlineLedger.Entry entry = engine.state().deadlineJobs().find(job.id());
                    DeadlineDecision plan =
                            entry == null
                                    ? null
                                    : DeadlinePlan.of(engine, clock.instant()).decide(entry);
                    var found = new Explained(why, plan);
                    return explanation(job, found, lastFailure, because, request.caller());
                });
    }

    /// @param plan how the job is to meet its deadline; null if it has none
    private record Explained(Explanation why, @Nullable DeadlineDecision plan) {}

    private Response explanation(
            Job job, Explained found, String lastFailure, String because, Caller caller) {
        Explanation why = found.why();
        StateReasons reasons = reasonSource.now();
        var out = new JsonOutput(1 << 10).object();
        out.field("job_id", job.id().toString()).field("state", PublicState.of(job).toString());
        UnaryOperator<String> readable = callerTexts.of(caller);
        String reason = readable.apply(reasons.of(job));
        if (!reason.isEmpty() && (job.waiting() || job.phase().run() != null)) {
            out.field("reason", reason);
        }
        out.field("last_failure", lastFailure);
        var json = new JobJson(out, Map.of(), reasons, readable);
        json.start(job);
        json.places(job);
        json.idle(job);
        List<ScoreTerm> terms = why.terms().isEmpty() ? ScoreTerm.read(because) : why.terms();
        var explanation = new ExplanationJson(out, reasons, caller, callerTexts);
        explanation.fields(job, why, terms);
        explanation.preempted(VictimList.read(because));
        DeadlineJson.write(found.plan(), out);
        return Response.ok(out.endObject());
    }

    /// Why the job was placed where it runs, from the recorded placement.
    private String because(Job job) {
        if (job.phase().run() == null) {
            return "";
        }
        String because = "";
        for (Event event : pastJobs.events(job.id())) {
            if (event instanceof Event.AttemptPlaced placed) {
                because = placed.because();
            }
        }
        return because;
    }

    Response events(Request request) {
        Job job = lookups.job(request);
        var out = new JsonOutput(1 << 10).object().name("events").array();
        UnaryOperator<String> readable = callerTexts.of(request.caller());
        int total = 0;
        for (Event event : pastJobs.events(job.id())) {
            if (!(event instanceof Event.TaskChanged)) {
                out.object().field("at", event.at()).field("kind", EventText.kind(event));
                out.field("message", readable.apply(EventText.message(event))).endObject();
                total++;
            }
        }
        return Response.ok(out.endArray().field("total", total).endObject());
    }
}
