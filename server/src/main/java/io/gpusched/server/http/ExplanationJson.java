package io.gpusched.server.http;

import io.gpusched.core.explain.Change;
import io.gpusched.core.explain.Explanation;
import io.gpusched.core.explain.Holding;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.Reason;
import io.gpusched.core.policy.Term;
import io.gpusched.core.policy.Victims;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.view.Positions;
import io.gpusched.server.view.ReasonWords;
import io.gpusched.server.view.View;

import java.util.List;

/// An explanation in JSON. Jobs of others are counted but not named: for the caller they do not
/// exist.
final class ExplanationJson {
    private final JsonOut out;
    private final View view;
    private final Caller caller;

    ExplanationJson(JsonOut out, View view, Caller caller) {
        this.out = out;
        this.view = view;
        this.caller = caller;
    }

    /// Writes all fields into an object that is open.
    ///
    /// @param job the one explained, which the view need not know
    /// @param terms what decided on its place
    void fields(Job job, Explanation why, List<Term> terms) {
        out.field("summary", why.summary());
        Long position = Positions.of(List.of(job), view).get(job.id());
        if (position == null) {
            out.empty("position").empty("ahead");
        } else {
            out.field("position", position).field("ahead", position - 1);
        }
        out.field("reserved_from", why.reserved());
        out.field("place", why.place() == null ? null : why.place().toString());
        stops(why.victims());
        out.name("reasons").array();
        why.reasons().forEach(reason -> write(reason, job));
        why.spared().forEach(reason -> write(reason, job));
        out.endArray().name("holders").array();
        why.holders().forEach(this::write);
        out.endArray().name("changes").array();
        why.changes().forEach(this::write);
        out.endArray().name("score_terms").array();
        double weights = Term.weights(terms);
        terms.forEach(term -> write(term, weights));
        out.endArray();
        if (terms.isEmpty()) {
            out.empty("score");
        } else {
            out.field("score", Term.points(terms));
        }
    }

    /// Writes who was stopped so that the job could start.
    void preempted(Victims victims) {
        out.field("preempted", victims.count());
        out.field("preempted_jobs", named(victims.named()));
    }

    private void stops(List<JobId> victims) {
        out.field("stops", victims.size());
        out.field("stops_jobs", named(victims));
    }

    private List<String> named(List<JobId> jobs) {
        return jobs.stream().filter(this::mayName).map(JobId::toString).toList();
    }

    private boolean mayName(JobId id) {
        Job job = view.job(id);
        return job != null && caller.mayTouch(job.tenant());
    }

    private void write(Reason reason, Job job) {
        out.object().field("by", reason.refusal().by());
        out.field("why", ReasonWords.of(reason.why(), reason, job));
        out.field("nodes", reason.nodes());
        out.field("lifted_by", reason.lifts());
        out.endObject();
    }

    private void write(Holding holding) {
        boolean named = caller.mayTouch(holding.tenant());
        out.object().field("job_id", named ? holding.job().toString() : null);
        out.field("tenant_id", named ? holding.tenant().name() : null);
        out.field("priority", holding.priority());
        out.field("gpus", holding.milliGpus() / 1000.0);
        out.field("cpu_cores", holding.milliCpu() / 1000.0);
        out.field("expected_end", holding.expectedEnd());
        out.field("end_is_assumed", holding.assumed());
        out.field("promised", holding.promised()).endObject();
    }

    private void write(Change change) {
        out.object().field("field", change.field());
        out.field("from", change.from()).field("to", change.to());
        out.field("change", change.words()).field("place", change.on().toString());
        stops(change.victims());
        out.endObject();
    }

    private void write(Term term, double weights) {
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
}
