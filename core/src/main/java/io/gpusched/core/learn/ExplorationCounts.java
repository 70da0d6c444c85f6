package io.gpusched.core.learn;

import io.gpusched.core.model.Check;

/// How many score requests were answered, and how many of them by exploration.
///
/// @param reserved explorations that may have happened beyond the counted ones: the recorder
///        reserves a number of them in advance, so that a crash cannot hide any
public record ExplorationCounts(long total, long explored, long reserved) {
    public static final ExplorationCounts NONE = new ExplorationCounts(0, 0);

    /// Counts with nothing reserved.
    public ExplorationCounts(long total, long explored) {
        this(total, explored, 0);
    }

    public ExplorationCounts {
        Check.that(
                explored >= 0 && explored <= total,
                "expected at most as many explorations as requests, found %s of %s",
                explored,
                total);
        Check.that(reserved >= 0, "reserved explorations are not negative, found %s", reserved);
    }

    public ExplorationCounts and(long moreTotal, long moreExplored) {
        return new ExplorationCounts(total + moreTotal, explored + moreExplored, reserved);
    }

    public ExplorationCounts reserving(long ahead) {
        return new ExplorationCounts(total, explored, ahead);
    }

    /// The fraction that explored; 0 when there are no requests.
    public double ratio() {
        return explored / (double) Math.max(1, total);
    }
}
