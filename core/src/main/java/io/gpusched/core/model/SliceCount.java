package io.gpusched.core.model;

/// MIG slices of one profile, by number: which ones, only another system knows.
public record SliceCount(String profile, int count) {
    public SliceCount {
        Check.that(count >= 0, "slices of %s cannot be %s", profile, count);
    }
}
