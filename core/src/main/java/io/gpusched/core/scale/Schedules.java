package io.gpusched.core.scale;

import io.gpusched.core.pool.ScheduledSize;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;

/// Finds the scheduled size of a pool.
public final class Schedules {
    private static final int MINUTES_PER_DAY = 1_440;

    private Schedules() {}

    /// The schedule with the most replicas that holds now or begins within `lead`; null when there
    /// is none. The lead is the load time of a replica, so that replicas are ready when it begins.
    public static @Nullable ScheduledSize at(
            List<ScheduledSize> schedules, Instant now, Duration lead) {
        ScheduledSize found = null;
        for (ScheduledSize schedule : schedules) {
            if ((found == null || schedule.replicas() > found.replicas())
                    && (holds(schedule, now) || holds(schedule, now.plus(lead)))) {
                found = schedule;
            }
        }
        return found;
    }

    private static boolean holds(ScheduledSize schedule, Instant instant) {
        ZonedDateTime time = instant.atZone(ZoneOffset.UTC);
        int minute = time.getHour() * 60 + time.getMinute();
        int day = time.getDayOfWeek().getValue() - 1;
        return contains(schedule, day, minute)
                || contains(schedule, (day + 6) % 7, minute + MINUTES_PER_DAY);
    }

    /// Whether a minute lies in the interval that begins on this day of the week.
    private static boolean contains(ScheduledSize schedule, int day, int minute) {
        return (schedule.days() & 1 << day) != 0
                && minute >= schedule.fromMinute()
                && minute < schedule.fromMinute() + schedule.minutes();
    }
}
