package io.gpusched.core.event;

import io.gpusched.core.model.JobId;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What became of an input.
public sealed interface Answer {
    /// @param job the job made or meant; null where there is none
    /// @param events what records it; empty for a repeated or stale input
    /// @param warnings what the asker should know all the same
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
