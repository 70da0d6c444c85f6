package io.gpusched.core.scale;

import io.gpusched.core.model.JobId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/// How many of the missing replicas of a pool can be placed, and when.
///
/// @param missing how many replicas are to be placed
/// @param now how many of them find free capacity now
/// @param byPreemption whether other jobs would be preempted for the next one
/// @param later when each further one can be placed if running jobs end as expected, the earliest
///        first; shorter than what is missing where no planned end helps or a rule is in the way
public record ComingCapacity(int missing, int now, boolean byPreemption, List<LaterPlace> later) {
    /// @param after the job whose end makes the place free; null where it is reserved already
    public record LaterPlace(Instant at, @Nullable JobId after) {}

    public ComingCapacity {
        later = List.copyOf(later);
    }

    /// Nothing is known of a time when more can be placed.
    public static ComingCapacity now(int missing, int now) {
        return new ComingCapacity(missing, Math.min(missing, now), false, List.of());
    }

    /// Whether all can be placed at once, perhaps by preemption.
    public boolean isAtOnce() {
        return now >= missing || byPreemption;
    }

    /// When the last one can be placed of those whose time is known; null if all can at once, or if
    /// no time is known.
    public @Nullable Instant last() {
        return isAtOnce() || later.isEmpty() ? null : later.getLast().at();
    }

    /// For people; empty when nothing is missing.
    public String text() {
        if (missing == 0) {
            return "";
        }
        String placed =
                Reason.text(
                        "%d of %d missing %s can be placed now",
                        now, missing, missing == 1 ? "replica" : "replicas");
        if (now >= missing) {
            return placed;
        }
        if (byPreemption) {
            return placed + "; other jobs are preempted for the next one";
        }
        if (later.isEmpty()) {
            return placed + "; when the next one can is not known";
        }
        LaterPlace next = later.getFirst();
        return placed
                + Reason.text(
                        "; the next one about %s, %s",
                        next.at.truncatedTo(ChronoUnit.SECONDS),
                        next.after == null ? "as reserved" : "when " + next.after + " ends");
    }
}
