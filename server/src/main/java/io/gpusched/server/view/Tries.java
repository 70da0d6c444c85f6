package io.gpusched.server.view;

import io.gpusched.core.engine.Conclusion;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.Attempt;
import io.gpusched.core.policy.Reason;

import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// What came of trying waiting jobs last. Only jobs at the head of their class are tried, so most
/// of a long queue is not in here; a bound keeps it small all the same. Written by the follower's
/// thread, read by any.
public final class Tries {
    private static final int MOST = 50_000;
    private static final int MOST_REASONS = 3;

    private final ConcurrentHashMap<JobId, Attempt> last = new ConcurrentHashMap<>();

    void add(Conclusion conclusion) {
        conclusion
                .attempts()
                .forEach(
                        (job, attempt) -> {
                            switch (attempt) {
                                case Attempt.Placed placed -> last.remove(job);
                                case Attempt.MakesRoom room -> put(job, room);
                                case Attempt.Waits waits -> put(job, waits);
                            }
                        });
    }

    private void put(JobId job, Attempt attempt) {
        if (last.size() < MOST || last.containsKey(job)) {
            last.put(job, attempt);
        }
    }

    void forget(JobId job) {
        last.remove(job);
    }

    /// Why the job waits, in a sentence; empty when it has not been tried.
    public String why(Job job) {
        return switch (last.get(job.id())) {
            case null -> "";
            case Attempt.Placed placed -> "";
            case Attempt.MakesRoom room when room.victims().isEmpty() ->
                    "waiting for the room on " + room.on() + " that others are leaving";
            case Attempt.MakesRoom room ->
                    "waiting for "
                            + room.victims().size()
                            + (room.victims().size() == 1 ? " job" : " jobs")
                            + " to make room on "
                            + room.on();
            case Attempt.Waits waits ->
                    waits.because().stream()
                                    .limit(MOST_REASONS)
                                    .map(reason -> words(reason, job))
                                    .collect(Collectors.joining("; "))
                            + (waits.reserved() == null
                                    ? ""
                                    : "; a place is reserved from " + waits.reserved());
        };
    }

    private static String words(Reason reason, Job job) {
        String why = ReasonWords.of(reason.refusal().why(), reason, job);
        return reason.nodes() == 0
                ? why
                : reason.nodes() + (reason.nodes() == 1 ? " node: " : " nodes: ") + why;
    }
}
