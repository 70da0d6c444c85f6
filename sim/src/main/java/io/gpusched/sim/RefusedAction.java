package io.gpusched.sim;

import io.gpusched.core.event.Input;
import io.gpusched.core.event.Problem;

import java.time.Instant;
import java.util.List;

/// Something the script asked for and the scheduler would not do.
public record RefusedAction(Instant at, Input input, List<Problem> problems) {
    public RefusedAction {
        problems = List.copyOf(problems);
    }
}
