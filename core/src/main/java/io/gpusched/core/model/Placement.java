package io.gpusched.core.model;

import java.util.List;
import java.util.stream.Collectors;

/// The slots of all tasks of a job, by rank. The job gets all of them or none.
public record Placement(List<Slot> slots) {
    public Placement {
        slots = List.copyOf(slots);
        Check.that(!slots.isEmpty(), "a placement has at least one slot");
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        for (Slot slot : slots) {
            text.append(text.isEmpty() ? "" : " ").append(slot.node());
            text.append(shown(slot.grant()));
        }
        return text.toString();
    }

    /// `[0-3]` for whole GPUs, `[0]@40%` for shares, `[0:3g.20gb@4]` for slices.
    private static String shown(Grant grant) {
        if (grant instanceof Grant.Slices slices) {
            return slices.at().stream()
                    .map(MigSlot::shown)
                    .collect(Collectors.joining(",", "[", "]"));
        }
        String gpus = grant.mask() == 0 ? "" : indices(grant.mask());
        return grant instanceof Grant.Shares shares
                ? gpus + "@" + Math.ceilDiv(shares.milli(), 10) + "%"
                : gpus;
    }

    /// `[0-3,6]` for a set of GPUs.
    public static String indices(long mask) {
        var text = new StringBuilder("[");
        for (int from = 0; from < Gpu.MOST_PER_NODE; from++) {
            if ((mask >>> from & 1) == 0) {
                continue;
            }
            int to = from;
            while (to + 1 < Gpu.MOST_PER_NODE && (mask >>> (to + 1) & 1) == 1) {
                to++;
            }
            text.append(text.length() == 1 ? "" : ",").append(from);
            if (to > from) {
                text.append('-').append(to);
            }
            from = to;
        }
        return text.append(']').toString();
    }
}
