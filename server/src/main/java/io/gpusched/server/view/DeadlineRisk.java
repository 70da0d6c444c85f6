package io.gpusched.server.view;

import io.gpusched.core.model.CapacityRule;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobDeadline;
import io.gpusched.core.spot.DeadlineRule;
import io.gpusched.core.state.DeadlineLedger;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A job that may miss its deadline: it has no slack left, or it is to run on demand, does not run,
/// and its slack will not cover much more waiting.
///
/// @param slackMillis time that may still be lost; negative if the deadline will be missed
public record DeadlineRisk(Job job, long slackMillis) {
    /// How long after the last safe start capacity should be found.
    private static final Duration SOON = Duration.ofMinutes(2);

    /// All such jobs at that time.
    public static List<DeadlineRisk> all(View view, Instant at) {
        var risks = new ArrayList<DeadlineRisk>();
        for (DeadlineLedger.Entry entry : view.deadlines().values()) {
            Job job = view.job(entry.job());
            JobDeadline deadline = job == null ? null : job.spec().deadline();
            if (job == null || deadline == null || job.ended()) {
                continue;
            }
            long slack = slack(entry, job, deadline, at);
            boolean late = !deadline.of(job.submitted()).isAfter(at);
            boolean must =
                    job.waiting() && job.spec().capacity().kind() == CapacityRule.Kind.ON_DEMAND;
            long needed = deadline.restartOrUsual().plus(SOON).toMillis();
            if (late || slack < 0 || (must && slack < needed)) {
                risks.add(new DeadlineRisk(job, slack));
            }
        }
        return risks;
    }

    private static long slack(
            DeadlineLedger.Entry entry, Job job, JobDeadline deadline, Instant at) {
        long left = Duration.between(at, deadline.of(job.submitted())).toMillis();
        return left - DeadlineLedger.remaining(entry, job, deadline, at);
    }

    /// How the job stands.
    public String words() {
        return slackMillis < 0
                ? "too little time left by " + DeadlineRule.text(-slackMillis)
                : "a slack of " + DeadlineRule.text(slackMillis) + " and waits for capacity";
    }
}
