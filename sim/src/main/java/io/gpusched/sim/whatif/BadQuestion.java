package io.gpusched.sim.whatif;

import io.gpusched.core.model.Nearest;

import java.util.List;

/// What was asked cannot be answered; the message says why, and what could be asked instead.
public final class BadQuestion extends RuntimeException {
    public BadQuestion(String message) {
        super(message);
    }

    static BadQuestion unknown(String what, String found, List<String> known) {
        String nearest = Nearest.to(found, known);
        return new BadQuestion(
                "expected a known "
                        + what
                        + ", found \""
                        + found
                        + "\"; "
                        + (nearest == null ? "" : "the nearest is " + nearest + ", ")
                        + "known are "
                        + String.join(", ", known));
    }
}
