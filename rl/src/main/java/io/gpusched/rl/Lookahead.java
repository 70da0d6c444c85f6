package io.gpusched.rl;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// How an observation shows when GPUs become free. It always has one entry per GPU.
///
///     GPUs busy for .4, 0, .1, 0 of the longest job
///       off      0   0   0   0
///       per_gpu  .4  0   .1  0
///       sorted   0   0   .1  .4
///       cdf      .75 1   1   1      the part of the GPUs free within 1/4, 2/4, …
public enum Lookahead {
    OFF,
    PER_GPU,
    SORTED,
    CDF;

    public static final List<String> NAMES =
            Arrays.stream(values()).map(Lookahead::toString).toList();

    /// Null when there is none of that name.
    public static @Nullable Lookahead named(String name) {
        int at = NAMES.indexOf(name);
        return at < 0 ? null : values()[at];
    }

    /// Writes what is left of each GPU's work, as parts of the longest job, into `seen`.
    void write(float[] left, float[] seen, int from) {
        switch (this) {
            case OFF -> Arrays.fill(seen, from, from + left.length, 0);
            case PER_GPU -> System.arraycopy(left, 0, seen, from, left.length);
            case SORTED -> {
                System.arraycopy(left, 0, seen, from, left.length);
                Arrays.sort(seen, from, from + left.length);
            }
            case CDF -> {
                for (int i = 0; i < left.length; i++) {
                    seen[from + i] = freeWithin(left, (float) (i + 1) / left.length);
                }
            }
        }
    }

    private static float freeWithin(float[] left, float time) {
        int free = 0;
        for (float each : left) {
            free += each <= time ? 1 : 0;
        }
        return (float) free / left.length;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
