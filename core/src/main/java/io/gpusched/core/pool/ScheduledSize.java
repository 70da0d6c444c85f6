package io.gpusched.core.pool;

import io.gpusched.core.model.Check;

/// At least so many replicas from one minute of the day to another, on some days.
///
/// @param days bit 0 is Monday, bit 6 is Sunday, of the day on which the interval begins (UTC)
/// @param fromMinute of the day, UTC
/// @param minutes how long it lasts; it may pass midnight
public record ScheduledSize(String name, int days, int fromMinute, int minutes, int replicas) {
    public ScheduledSize {
        Check.that(days > 0 && days < 128, "days are seven bits, found %s", days);
        Check.that(
                fromMinute >= 0 && fromMinute < 1_440,
                "a minute of the day is from 0 to 1439, found %s",
                fromMinute);
        Check.that(
                minutes > 0 && minutes <= 1_440,
                "a schedule lasts from 1 to 1440 minutes, found %s",
                minutes);
        Check.that(replicas >= 0, "replicas are not negative, found %s", replicas);
    }
}
