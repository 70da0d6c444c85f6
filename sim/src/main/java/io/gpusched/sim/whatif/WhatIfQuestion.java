package io.gpusched.sim.whatif;

import io.gpusched.core.event.Batch;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.regex.Pattern;

/// A what-if: the point in the journal from which another policy decides, and that policy.
///
/// @param afterBatch the last batch that is taken as recorded; see `from`
/// @param from or the time up to which batches are taken as recorded, if one is named
/// @param policy the policy from that point on; empty for the recorded one
/// @param placer the placement strategy from that point on; empty for the recorded one
public record WhatIfQuestion(
        long afterBatch, @Nullable Instant from, String policy, String placer) {
    private static final Pattern DAY = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");

    /// From the very beginning.
    public static WhatIfQuestion of(String policy) {
        return new WhatIfQuestion(0, null, policy, "");
    }

    /// Reads a batch number, a time such as 2025-01-01T00:00:00Z, or a day, which begins at 00:00
    /// UTC.
    public static WhatIfQuestion since(String since, String policy, String placer) {
        if (since.isEmpty()) {
            return new WhatIfQuestion(0, null, policy, placer);
        }
        try {
            if (since.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return new WhatIfQuestion(Long.parseLong(since), null, policy, placer);
            }
            Instant from =
                    DAY.matcher(since).matches()
                            ? LocalDate.parse(since).atStartOfDay(ZoneOffset.UTC).toInstant()
                            : Instant.parse(since);
            return new WhatIfQuestion(0, from, policy, placer);
        } catch (RuntimeException e) {
            throw new InvalidWhatIf(
                    "since: expected the number of a batch, a time such as"
                            + " 2025-01-01T00:00:00Z or a day such as 2025-01-01, found \""
                            + since
                            + "\"");
        }
    }

    /// Whether the batch lies after the point from which cycles are decided again.
    boolean isAbout(Batch batch) {
        return from == null ? batch.number() > afterBatch : !batch.at().isBefore(from);
    }
}
