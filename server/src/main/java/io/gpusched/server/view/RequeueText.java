package io.gpusched.server.view;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;

/// Why the run before did not go well, of a job that waits for its next one.
public final class RequeueText {
    private RequeueText() {}

    /// What ended the last run, in words; empty where the job has had none, or does not wait.
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
