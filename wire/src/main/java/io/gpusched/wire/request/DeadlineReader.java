package io.gpusched.wire.request;

import io.gpusched.core.model.JobDeadline;

import org.jspecify.annotations.Nullable;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;

/// Reads the deadline of a job, with the work it needs and what a start costs.
final class DeadlineReader {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MOST = Duration.ofMinutes(RequestBounds.MOST_MINUTES);

    private final RequestFields fields;

    DeadlineReader(RequestFields fields) {
        this.fields = fields;
    }

    /// Null if the job has none.
    @Nullable JobDeadline deadline() {
        Duration work = fields.duration("work_seconds", Duration.ZERO, SECOND, MOST);
        Duration restart = fields.duration("restart_seconds", Duration.ZERO, SECOND, MOST);
        String text = fields.text("deadline", "", RequestBounds.NAME);
        if (text.isEmpty()) {
            if (!fields.has("deadline")) {
                alone("work_seconds");
                alone("restart_seconds");
            } else if (fields.entries().get("deadline") instanceof JsonTree.Text) {
                unreadable(text);
            }
            return null;
        }
        positive("work_seconds", work);
        positive("restart_seconds", restart);
        Instant at = instant(text);
        Duration within = at == null ? within(text) : Duration.ZERO;
        if (at == null && within == null) {
            unreadable(text);
            return null;
        }
        return new JobDeadline(at, within == null ? Duration.ZERO : within, work, restart);
    }

    private void positive(String field, Duration time) {
        if (fields.has(field) && time.isZero()) {
            fields.problem(field, field + " must be at least 1 second", "leave " + field + " out");
        }
    }

    private void alone(String field) {
        if (fields.has(field)) {
            fields.problem(
                    field,
                    field + " is for jobs with a deadline, and this one names none",
                    "set deadline, or leave " + field + " out");
        }
    }

    private void unreadable(String text) {
        fields.problem(
                "deadline",
                "deadline must be an instant such as 2026-11-20T08:00:00Z or a time from the"
                        + " submission such as 52h, found \""
                        + text
                        + "\"",
                "write one of the two");
    }

    private static @Nullable Instant instant(String text) {
        try {
            Instant found = OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.MICROS);
            return found.isBefore(Instant.EPOCH) || found.isAfter(RequestBounds.LATEST)
                    ? null
                    : found;
        } catch (DateTimeException notAnInstant) {
            return null;
        }
    }

    /// A number without a unit is refused: it could mean hours as well as seconds.
    private static @Nullable Duration within(String text) {
        boolean bare = text.chars().allMatch(Character::isDigit);
        Duration found = bare ? null : DurationText.read(text, SECOND);
        return found == null || found.isZero() || found.compareTo(MOST) > 0 ? null : found;
    }
}
