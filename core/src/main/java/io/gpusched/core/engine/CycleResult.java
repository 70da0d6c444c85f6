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
    ///
    /// @param rankings how often a model ranked the heads of the queue
    /// @param invalidRankings rankings that were not finite numbers; the heads then went in queue
    ///        order
    public record Work(
            long turns,
            long nodesLookedAt,
            long candidatesScored,
            long rankings,
            long invalidRankings) {
        public static final Work NONE = new Work(0, 0, 0, 0, 0);

        public Work plus(Work more) {
            return new Work(
                    turns + more.turns,
                    nodesLookedAt + more.nodesLookedAt,
                    candidatesScored + more.candidatesScored,
                    rankings + more.rankings,
                    invalidRankings + more.invalidRankings);
        }
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
