package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/// Whether a job may wait for clean power, and where it should run.
///
/// @param slack the longest time after its submission for which the job may be held back; null
///        where the job does not say
/// @param maxGramsPerKwh power is clean enough up to this intensity; 0 where only the cleanest is
/// @param regions the regions in which the job should run, the preferred one first
/// @param upToPriority the job is held back only while its priority is not above this
public record CarbonPreference(
        @Nullable Duration slack, int maxGramsPerKwh, List<String> regions, int upToPriority) {
    /// Says nothing.
    public static final CarbonPreference NONE =
            new CarbonPreference(null, 0, List.of(), Integer.MAX_VALUE);

    /// The longest slack.
    public static final Duration LONGEST_SLACK = Duration.ofDays(7);

    public CarbonPreference {
        regions = List.copyOf(regions);
        if (slack != null) {
            Check.that(!slack.isNegative(), "a slack is not negative, found %s", slack);
        }
    }

    /// Only regions.
    public static CarbonPreference in(List<String> regions) {
        return regions.isEmpty() ? NONE : new CarbonPreference(null, 0, regions, NONE.upToPriority);
    }

    /// This, with the slack and the priority of `usual` if it says nothing about a slack.
    public CarbonPreference orAsUsual(CarbonPreference usual) {
        if (slack != null || usual.slack == null) {
            return this;
        }
        return equals(NONE)
                ? usual
                : new CarbonPreference(usual.slack, maxGramsPerKwh, regions, usual.upToPriority);
    }
}
