package io.gpusched.wire.request;

import io.gpusched.core.model.CarbonPreference;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/// Reads what a job says about clean power.
///
///     "carbon": {"shift_hours": 6, "max_intensity": 200, "preferred_regions": ["eu-north"]}
final class CarbonPreferenceReader {
    private static final int MOST_REGIONS = 8;
    private static final int MOST_GRAMS = 100_000;
    private static final double SECONDS_PER_HOUR = 3_600;

    private CarbonPreferenceReader() {}

    static CarbonPreference read(@Nullable RequestFields carbon, List<String> warnings) {
        if (carbon == null) {
            return CarbonPreference.NONE;
        }
        double most = CarbonPreference.LONGEST_SLACK.toHours();
        Duration slack =
                carbon.has("shift_hours")
                        ? Duration.ofSeconds(
                                Math.round(
                                        carbon.number("shift_hours", 0, 0, most)
                                                * SECONDS_PER_HOUR))
                        : null;
        var read =
                new CarbonPreference(
                        slack,
                        carbon.integer("max_intensity", 0, 0, MOST_GRAMS),
                        carbon.texts("preferred_regions", MOST_REGIONS, RequestBounds.NAME),
                        CarbonPreference.NONE.upToPriority());
        warnings.addAll(carbon.unknown());
        return read.equals(CarbonPreference.NONE) ? CarbonPreference.NONE : read;
    }
}
