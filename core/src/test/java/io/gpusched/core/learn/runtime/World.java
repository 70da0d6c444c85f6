package io.gpusched.core.learn.runtime;

import io.gpusched.core.model.Features;

import java.time.Instant;
import java.util.List;
import java.util.Random;

/// A world with a clock and a random generator, whose runs a model observes.
final class World {
    final RuntimeModel model;
    final Random dice;
    Instant now = Instant.parse("2030-01-01T00:00:00Z");

    World(long seed) {
        this(new RuntimeModel(), seed);
    }

    World(RuntimeModel model, long seed) {
        this.model = model;
        dice = new Random(seed);
    }

    static Profile work(String kind, String gpu) {
        return new Profile(kind, gpu, Features.NONE);
    }

    static Profile batch(String kind, double size) {
        return new Profile(kind, "A100", new Features(1, 0, 0, size));
    }

    /// About this many seconds, with log-normal noise of `spread`.
    double about(double seconds, double spread) {
        return seconds * StrictMath.exp(spread * dice.nextGaussian());
    }

    /// One run after the other, with a minute between them.
    void ran(Profile work, double seconds, String... neighbours) {
        now = now.plusSeconds(60 + (seconds < 1e9 ? Math.max(0, (long) seconds) : 0));
        model.observed(work, List.of(neighbours), seconds, now);
    }
}
