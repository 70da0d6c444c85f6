package io.gpusched.lab.carbon;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The deadline of a shifted job, given when it would have ended without shifting: the time at
/// which its results would be looked at.
public enum Deadline {
    /// At once if that is in working hours, else when the next working day begins. As published,
    /// the day after a Friday evening is a Saturday.
    NEXT_WORKDAY {
        @Override
        LocalDateTime after(LocalDateTime end) {
            LocalDate day = end.toLocalDate();
            return switch (day.getDayOfWeek()) {
                case SATURDAY -> day.plusDays(2).atTime(MORNING);
                case SUNDAY -> day.plusDays(1).atTime(MORNING);
                case MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY -> {
                    if (end.toLocalTime().isBefore(MORNING)) {
                        yield day.atTime(MORNING);
                    }
                    yield end.toLocalTime().isAfter(EVENING)
                            ? day.plusDays(1).atTime(MORNING)
                            : end;
                }
            };
        }
    },
    /// At a meeting on Monday or Thursday morning.
    SEMI_WEEKLY {
        @Override
        LocalDateTime after(LocalDateTime end) {
            LocalDateTime meeting = end.toLocalDate().atTime(MORNING);
            while (meeting.isBefore(end) || !MEETINGS.contains(meeting.getDayOfWeek())) {
                meeting = meeting.plusDays(1);
            }
            return meeting;
        }
    };

    private static final LocalTime MORNING = LocalTime.of(9, 0);
    private static final LocalTime EVENING = LocalTime.of(17, 0);
    private static final List<DayOfWeek> MEETINGS = List.of(DayOfWeek.MONDAY, DayOfWeek.THURSDAY);

    public static final List<String> NAMES =
            Arrays.stream(values()).map(Deadline::toString).toList();

    abstract LocalDateTime after(LocalDateTime end);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
