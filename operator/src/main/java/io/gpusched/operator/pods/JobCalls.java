package io.gpusched.operator.pods;

import io.gpusched.operator.scheduler.JobState;
import io.gpusched.operator.scheduler.SchedulerRequests;
import io.gpusched.operator.scheduler.SchedulerUnavailable;
import io.gpusched.operator.scheduler.SubmissionResult;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.function.Consumer;

/// Requests of the queue to the scheduler, and what follows from the answers. Its methods belong to
/// the thread of the queue; requests run elsewhere and post their results back to it.
final class JobCalls implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(JobCalls.class);
    private static final int SUBMISSIONS = 32;
    private static final int LOOKS = 4;

    /// A pod that is bound sooner needs no explanation.
    private static final Duration FIRST_LOOK = Duration.ofSeconds(1);

    private static final Duration NEXT_LOOK = Duration.ofSeconds(5);

    /// So many jobs are looked at per second: an explanation costs the scheduler some work.
    private static final int LOOKS_PER_SECOND = 20;

    private static final Duration AFTER_REFUSAL = Duration.ofSeconds(30);

    private final SchedulerRequests scheduler;
    private final PodNotes notes;
    private final PodTenants tenants;
    private final Consumer<Runnable> post;
    private final CallWindow submissions = new CallWindow("pod-submission", SUBMISSIONS);
    private final CallWindow looks = new CallWindow("pod-look", LOOKS);
    private int waiting;
    private boolean unavailable;

    /// @param post runs something on the thread of the queue
    JobCalls(PodQueue.Wiring wiring, PodTenants tenants, Consumer<Runnable> post) {
        this.scheduler = wiring.scheduler();
        this.notes = wiring.notes();
        this.tenants = tenants;
        this.post = post;
    }

    void submit(QueuedJob job) {
        PodJob request = job.request;
        if (job.dropped || job.calling || request == null) {
            return;
        }
        job.calling = true;
        String key = request.key(job.attempt);
        submissions.run(
                () -> {
                    try {
                        SubmissionResult result = submitted(request, key);
                        post.accept(() -> answered(job, result));
                    } catch (SchedulerUnavailable e) {
                        post.accept(() -> unanswered(job, e));
                    }
                });
    }

    /// Takes over a job that an earlier operator submitted.
    void adopt(QueuedJob job) {
        waiting++;
        lookAfter(job, FIRST_LOOK);
    }

    private SubmissionResult submitted(PodJob request, String key) {
        String tenant = request.body().path("tenant_id").asText();
        String problem = tenants.ensure(scheduler, tenant);
        return problem.isEmpty()
                ? scheduler.submit(key, request.body())
                : new SubmissionResult.Refused(
                        "tenant %s cannot be used: %s".formatted(tenant, problem));
    }

    private void answered(QueuedJob job, SubmissionResult result) {
        job.calling = false;
        unavailable = false;
        switch (result) {
            case SubmissionResult.Accepted(String id) -> {
                job.id = id;
                if (job.dropped) {
                    cancel(job);
                } else {
                    waiting++;
                    lookAfter(job, FIRST_LOOK);
                }
            }
            case SubmissionResult.KeyTaken _ -> {
                job.attempt++;
                submit(job);
            }
            case SubmissionResult.Refused(String why) -> {
                PodJob request = job.request;
                if (request != null) {
                    tenants.forget(request.body().path("tenant_id").asText());
                }
                tell(job, "the scheduler does not accept the pod: " + why);
                later(AFTER_REFUSAL, () -> submit(job));
            }
        }
    }

    private void unanswered(QueuedJob job, SchedulerUnavailable e) {
        job.calling = false;
        if (!unavailable) {
            unavailable = true;
            log.warn("pods wait because the scheduler cannot be asked: {}", e.getMessage());
        }
        later(Duration.ofMillis(job.retryMillis()), () -> submit(job));
    }

    /// Cancels a dropped job; one that is not submitted yet is cancelled when it is.
    void cancel(QueuedJob job) {
        if (job.isSubmitted()) {
            String id = job.id;
            submissions.run(() -> cancel(id));
        }
    }

    private void cancel(String id) {
        try {
            scheduler.cancel(id);
        } catch (SchedulerUnavailable e) {
            submissions.after(NEXT_LOOK, () -> cancel(id));
        }
    }

    /// Finds out why the job waits, or that it will not start any more.
    void look(QueuedJob job) {
        if (job.dropped || job.calling || !job.isSubmitted()) {
            return;
        }
        job.calling = true;
        String id = job.id;
        looks.run(
                () -> {
                    try {
                        JobState state = scheduler.explain(id);
                        post.accept(() -> looked(job, state));
                    } catch (SchedulerUnavailable e) {
                        post.accept(
                                () -> {
                                    job.calling = false;
                                    lookAfter(job, NEXT_LOOK);
                                });
                    }
                });
    }

    private void looked(QueuedJob job, JobState state) {
        job.calling = false;
        if (job.dropped) {
            waiting--;
        } else if (state.state().equals("cancelled")) {
            tell(
                    job,
                    "%s was cancelled; delete the pod, or create it anew to queue it again"
                            .formatted(job.id));
        } else if (state.isOver()) {
            log.info("{} ended as {} while its pods wait: submitting again", job.id, state);
            job.id = "";
            job.attempt++;
            waiting--;
            later(Duration.ofMillis(job.retryMillis()), () -> submit(job));
        } else {
            if (state.waits()) {
                tell(job, job.id + ": " + state.why());
            }
            lookAfter(job, NEXT_LOOK);
        }
    }

    private void lookAfter(QueuedJob job, Duration least) {
        Duration turn = Duration.ofSeconds(waiting / LOOKS_PER_SECOND);
        later(
                turn.compareTo(least) > 0 && !least.equals(FIRST_LOOK) ? turn : least,
                () -> look(job));
    }

    private void tell(QueuedJob job, String why) {
        PodJob request = job.request;
        String remarks =
                request == null || request.notes().isEmpty()
                        ? ""
                        : " (" + String.join("; ", request.notes()) + ")";
        job.pods.forEach(pod -> notes.waiting(pod, why + remarks));
    }

    private void later(Duration delay, Runnable what) {
        looks.after(delay, () -> post.accept(what));
    }

    @Override
    public void close() {
        submissions.close();
        looks.close();
    }
}
