package io.gpusched.server.live;

import org.jspecify.annotations.Nullable;

/// The place of an event in the journal: its batch, and its index within the batch. A listener
/// that sends the id of the last event it received continues right after it.
///
/// Events that follow from a batch without being in it have indices after its last event, and
/// alerts have indices after those.
///
///     512-3
public record EventId(long batch, int index) implements Comparable<EventId> {
    /// The place after every event of a batch.
    static EventId endOf(long batch) {
        return new EventId(batch, Integer.MAX_VALUE);
    }

    /// Reads `512-3`; null when `text` is not of that form.
    public static @Nullable EventId parse(String text) {
        int dash = text.indexOf('-');
        if (dash < 1 || !isNumber(text, 0, dash) || !isNumber(text, dash + 1, text.length())) {
            return null;
        }
        try {
            return new EventId(
                    Long.parseLong(text.substring(0, dash)),
                    Integer.parseInt(text.substring(dash + 1)));
        } catch (NumberFormatException tooLarge) {
            return null;
        }
    }

    private static boolean isNumber(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return to > from;
    }

    public boolean isAfter(EventId other) {
        return compareTo(other) > 0;
    }

    @Override
    public int compareTo(EventId other) {
        int byBatch = Long.compare(batch, other.batch);
        return byBatch != 0 ? byBatch : Integer.compare(index, other.index);
    }

    @Override
    public String toString() {
        return batch + "-" + index;
    }
}
