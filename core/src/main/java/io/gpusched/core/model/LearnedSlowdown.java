package io.gpusched.core.model;

import java.time.Instant;

/// A learned figure: how much slower a kind of job runs beside a neighbour; 0.2 for a fifth slower.
///
/// @param count runs beside that neighbour so far
/// @param at when it last changed
public record LearnedSlowdown(String kind, String neighbour, double part, long count, Instant at) {
    public LearnedSlowdown {
        Check.that(
                part >= 0 && Double.isFinite(part) && count >= 0,
                "a slowdown is finite and not negative, found %s of %s runs",
                part,
                count);
    }
}
