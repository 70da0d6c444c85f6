package io.gpusched.core.learn;

import io.gpusched.core.model.Check;

/// How many choices were made, and how many of them to learn something.
///
/// @param reserved explorations that may have been made beyond those that are counted: whoever
///        counts says beforehand how many there may be until it says more, so that no crash hides
///        any
public record ExplorationCounts(long total, long explored, long reserved) {
    public static final ExplorationCounts NONE = new ExplorationCounts(0, 0);

    /// With nothing reserved.
    public ExplorationCounts(long total, long explored) {
        this(total, explored, 0);
    }

    public ExplorationCounts {
        Check.that(
                explored >= 0 && explored <= total,
                "some of the choices explore, found %s of %s",
                explored,
                total);
        Check.that(reserved >= 0, "what is reserved is not negative, found %s", reserved);
    }

    public ExplorationCounts and(long moreTotal, long moreExplored) {
        return new ExplorationCounts(total + moreTotal, explored + moreExplored, reserved);
    }

    public ExplorationCounts reserving(long ahead) {
        return new ExplorationCounts(total, explored, ahead);
    }

    /// The part that explored; 0 of nothing.
    public double ratio() {
        return explored / (double) Math.max(1, total);
    }
}
