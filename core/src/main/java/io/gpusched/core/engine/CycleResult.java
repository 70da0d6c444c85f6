package io.gpusched.core.engine;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.TurnOutcome;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// The result of a cycle: the events that record its decisions, and the outcome for every job that
/// was tried.
public record CycleResult(
        Instant at, List<Event> events, SequencedMap<JobId, TurnOutcome> attempts, Work work) {
    private static final SequencedMap<JobId, TurnOutcome> NO_ATTEMPTS =
            Collections.unmodifiableSequencedMap(new LinkedHashMap<>());

    /// Work done, counted rather than timed.
    public record Work(long turns, long nodesLookedAt, long candidatesScored) {
        public static final Work NONE = new Work(0, 0, 0);
    }

    /// The work of no cycle.
    public static CycleResult nothing(Instant at) {
        return new CycleResult(at, List.of(), NO_ATTEMPTS, Work.NONE);
    }

    public CycleResult {
        events = List.copyOf(events);
        attempts =
                attempts.isEmpty()
                        ? NO_ATTEMPTS
                        : Collections.unmodifiableSequencedMap(new LinkedHashMap<>(attempts));
    }
}
