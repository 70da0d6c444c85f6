package io.gpusched.core.event;

import io.gpusched.core.model.JobId;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The cell's answer to an [Input]: accepted, or rejected with the reasons.
public sealed interface Answer {
    /// @param job the job that the command created or changed; null where there is none
    /// @param events the events that record the input; empty for a repeated or stale input
    /// @param warnings notes for the sender that do not prevent the input from being accepted
    record Accepted(@Nullable JobId job, List<Event> events, List<String> warnings)
            implements Answer {
        public Accepted {
            events = List.copyOf(events);
            warnings = List.copyOf(warnings);
        }
    }

    record Rejected(List<Problem> problems) implements Answer {
        public Rejected {
            problems = List.copyOf(problems);
        }
    }

    static Answer accepted(Event... events) {
        return new Accepted(null, List.of(events), List.of());
    }

    static Answer rejected(Problem.Code code, String field, String message, String hint) {
        return new Rejected(List.of(new Problem(code, field, message, hint)));
    }
}
