package io.gpusched.core.learn;

import io.gpusched.core.model.Check;

/// How many choices were made, and how many of them to learn something.
public record Tally(long total, long explored) {
    public static final Tally NONE = new Tally(0, 0);

    public Tally {
        Check.that(
                explored >= 0 && explored <= total,
                "some of the choices explore, found %s of %s",
                explored,
                total);
    }

    public Tally and(long moreTotal, long moreExplored) {
        return new Tally(total + moreTotal, explored + moreExplored);
    }

    /// The part that explored; 0 of nothing.
    public double ratio() {
        return explored / (double) Math.max(1, total);
    }
}
