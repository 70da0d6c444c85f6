package io.gpusched.server.view;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;

import org.jspecify.annotations.Nullable;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/// The job states of the API. They are published; the phases inside the scheduler are finer.
public enum PublicState {
    PENDING,
    SCHEDULED,
    RUNNING,
    COMPLETED,
    FAILED,
    PREEMPTED,
    CANCELLED;

    private final String text = name().toLowerCase(Locale.ROOT);

    public static PublicState of(Job job) {
        return switch (job.phase()) {
            case Phase.Held held -> queued(job);
            case Phase.Waiting waiting -> queued(job);
            case Phase.Starting starting -> SCHEDULED;
            case Phase.Running running -> RUNNING;
            case Phase.Stopping stopping -> RUNNING;
            case Phase.Ended ended ->
                    switch (ended.outcome().result()) {
                        case COMPLETED -> COMPLETED;
                        case FAILED -> FAILED;
                        case CANCELLED -> CANCELLED;
                    };
        };
    }

    private static PublicState queued(Job job) {
        return job.stops() > 0 ? PREEMPTED : PENDING;
    }

    /// Parses a state such as `running`; null if there is no such state.
    public static @Nullable PublicState parse(String text) {
        for (PublicState state : values()) {
            if (state.text.equals(text)) {
                return state;
            }
        }
        return null;
    }

    /// Parses states separated by commas, such as `running,pending`; an empty text means all
    /// states.
    ///
    /// @param unknown what to throw for a name that is not a state
    public static Set<PublicState> parseList(
            String text, Function<String, ? extends RuntimeException> unknown) {
        if (text.isEmpty()) {
            return EnumSet.allOf(PublicState.class);
        }
        Set<PublicState> states = EnumSet.noneOf(PublicState.class);
        for (String name : text.split(",", -1)) {
            PublicState state = parse(name.strip());
            if (state == null) {
                throw unknown.apply(name.strip());
            }
            states.add(state);
        }
        return states;
    }

    public boolean terminal() {
        return this == COMPLETED || this == FAILED || this == CANCELLED;
    }

    @Override
    public String toString() {
        return text;
    }
}
