package io.gpusched.sim;

import io.gpusched.core.event.Input;
import io.gpusched.core.event.Problem;

import java.time.Instant;
import java.util.List;

/// An action of the scenario that the scheduler refused.
public record RefusedAction(Instant at, Input input, List<Problem> problems) {
    public RefusedAction {
        problems = List.copyOf(problems);
    }
}
