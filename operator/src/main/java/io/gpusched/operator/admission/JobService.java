package io.gpusched.operator.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.scheduler.JobState;
import io.gpusched.operator.scheduler.SchedulerRequests;
import io.gpusched.operator.scheduler.SubmissionResult;

import java.util.function.Consumer;

/// What admission asks of the scheduler. Calls block for some seconds at most, and fail with
/// [io.gpusched.operator.scheduler.SchedulerUnavailable].
interface JobService {
    SubmissionResult submit(String key, ObjectNode body);

    void cancel(String job);

    JobState explain(String job);

    void activeJobs(Consumer<JobState> each);

    /// @return why the tenant cannot be used; empty if it can
    String ensureTenant(String tenant);

    static JobService of(SchedulerRequests scheduler) {
        return new JobService() {
            @Override
            public SubmissionResult submit(String key, ObjectNode body) {
                return scheduler.submit(key, body);
            }

            @Override
            public void cancel(String job) {
                scheduler.cancel(job);
            }

            @Override
            public JobState explain(String job) {
                return scheduler.explain(job);
            }

            @Override
            public void activeJobs(Consumer<JobState> each) {
                scheduler.activeJobs(each);
            }

            @Override
            public String ensureTenant(String tenant) {
                return scheduler.ensureTenant(tenant, tenant);
            }
        };
    }
}
