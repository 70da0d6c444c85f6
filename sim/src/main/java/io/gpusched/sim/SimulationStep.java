package io.gpusched.sim;

import io.gpusched.core.event.Input;

import java.time.Instant;
import java.util.List;

/// The inputs that a simulation passed to its cell at one instant.
public record SimulationStep(Instant now, List<Input> inputs) {
    public SimulationStep {
        inputs = List.copyOf(inputs);
    }
}
