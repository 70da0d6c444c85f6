package io.gpusched.server.view;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;

/// Why the last run of a requeued job ended.
public final class RequeueText {
    private RequeueText() {}

    /// The reason in words; empty if the job does not wait or has not run before.
    public static String last(Job job, PastJobs pastJobs) {
        if (!(job.phase() instanceof Phase.Waiting) || job.attempts() == 0) {
            return "";
        }
        String reason = "";
        for (Event event : pastJobs.events(job.id())) {
            if (event instanceof Event.JobRequeued requeued) {
                reason = requeued.reason();
            }
        }
        return reason;
    }
}
