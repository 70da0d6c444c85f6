package io.gpusched.server.http;

import io.gpusched.core.explain.Explanation;
import io.gpusched.core.explain.HeldCapacity;
import io.gpusched.core.explain.RequestChange;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.RefusalCount;
import io.gpusched.core.policy.ScoreTerm;
import io.gpusched.core.policy.VictimList;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.view.CallerTexts;
import io.gpusched.server.view.KeptCapacity;
import io.gpusched.server.view.QueuePositions;
import io.gpusched.server.view.RefusalText;
import io.gpusched.server.view.StateReasons;
import io.gpusched.server.view.View;

import java.util.List;
import java.util.function.UnaryOperator;

/// Writes the explanation of a job as JSON. Jobs of other tenants are counted but not named,
/// because the caller may not see them.
final class ExplanationJson {
    private final JsonOutput out;
    private final View view;
    private final StateReasons reasons;
    private final Caller caller;
    private final UnaryOperator<String> readable;

    ExplanationJson(JsonOutput out, StateReasons reasons, Caller caller, CallerTexts callerTexts) {
        this.out = out;
        this.reasons = reasons;
        this.view = reasons.view();
        this.caller = caller;
        this.readable = callerTexts.of(caller);
    }

    /// Writes all fields into an object that is open.
    ///
    /// @param job the explained job, which need not be in the view
    /// @param terms the score terms of its placement
    void fields(Job job, Explanation why, List<ScoreTerm> terms) {
        out.field("summary", readable.apply(summary(job, why)));
        Long position = QueuePositions.of(List.of(job), view).get(job.id());
        if (position == null) {
            out.empty("position").empty("ahead");
        } else {
            out.field("position", position).field("ahead", position - 1);
        }
        out.field("ordered_by", position == null ? "" : view.model());
        reservation(job);
        out.field("place", why.place() == null ? null : why.place().toString());
        stops(why.victims());
        out.name("reasons").array();
        why.reasons().forEach(refusalCount -> write(refusalCount, job));
        why.spared().forEach(refusalCount -> write(refusalCount, job));
        out.endArray().name("holders").array();
        why.holders().forEach(this::write);
        out.endArray().name("changes").array();
        why.changes().forEach(this::write);
        out.endArray().name("score_terms").array();
        double weights = ScoreTerm.weights(terms);
        terms.forEach(scoreTerm -> write(scoreTerm, weights));
        out.endArray();
        if (terms.isEmpty()) {
            out.empty("score");
        } else {
            out.field("score", ScoreTerm.points(terms));
        }
    }

    /// Ends with the main reason as it stands in the list of reasons.
    private String summary(Job job, Explanation why) {
        RefusalCount main = RefusalCount.main(why.reasons());
        return main != null && why.summary().endsWith(main.why())
                ? text(why.summary(), main, job)
                : why.summary();
    }

    private String text(String why, RefusalCount refusalCount, Job job) {
        return RefusalText.of(why, refusalCount, job, reasons, this::name);
    }

    private String name(JobId id) {
        return mayName(id) ? id.toString() : "another tenant's job";
    }

    /// From the same view as the reason: both tell of the same reservation or of none.
    private void reservation(Job job) {
        KeptCapacity reservation = reasons.reservation(job.id());
        out.field("reserved_from", reservation == null ? null : reservation.claim().from());
        out.field("reserved_if", reservation == null ? "" : reasons.condition(reservation));
    }

    /// Writes which jobs were preempted so that this job could start.
    void preempted(VictimList victimList) {
        out.field("preempted", victimList.count());
        out.field("preempted_jobs", named(victimList.named()));
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

    private void write(RefusalCount refusalCount, Job job) {
        out.object().field("by", refusalCount.refusal().by());
        out.field("why", readable.apply(text(refusalCount.why(), refusalCount, job)));
        out.field("nodes", refusalCount.nodes());
        out.field("lifted_by", refusalCount.lifts());
        out.endObject();
    }

    private void write(HeldCapacity heldCapacity) {
        boolean named = caller.mayTouch(heldCapacity.tenant());
        out.object().field("job_id", named ? heldCapacity.job().toString() : null);
        out.field("tenant_id", named ? heldCapacity.tenant().name() : null);
        out.field("priority", heldCapacity.priority());
        out.field("gpus", heldCapacity.milliGpus() / 1000.0);
        out.field("cpu_cores", heldCapacity.milliCpu() / 1000.0);
        out.field("expected_end", heldCapacity.expectedEnd());
        out.field("end_is_assumed", heldCapacity.assumed());
        out.field("promised", heldCapacity.promised());
        out.field("preemption_allowed", heldCapacity.preemptible()).endObject();
    }

    private void write(RequestChange requestChange) {
        out.object().field("field", requestChange.field());
        out.field("from", requestChange.from()).field("to", requestChange.to());
        out.field("change", requestChange.words()).field("place", requestChange.on().toString());
        stops(requestChange.victims());
        out.endObject();
    }

    private void write(ScoreTerm scoreTerm, double weights) {
        out.object().field("name", scoreTerm.scorer()).field("weight", scoreTerm.weight());
        out.field("value", rounded(scoreTerm.cost()));
        out.field("contribution", rounded(scoreTerm.weight() * scoreTerm.cost() / weights));
        if (!scoreTerm.note().isEmpty()) {
            out.field("note", scoreTerm.note());
        }
        out.endObject();
    }

    private static double rounded(double value) {
        return Math.round(value * 10_000) / 10_000.0;
    }
}
