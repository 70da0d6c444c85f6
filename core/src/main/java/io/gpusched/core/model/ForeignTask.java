package io.gpusched.core.model;

import java.util.List;

/// Capacity of a node used by a task that this scheduler does not schedule.
///
/// @param slices MIG slices that are only counted, beside the grant of the slot
public record ForeignTask(String id, Slot slot, List<SliceCount> slices) {
    /// A task without counted slices.
    public ForeignTask(String id, Slot slot) {
        this(id, slot, List.of());
    }

    public ForeignTask {
        slices = List.copyOf(slices);
    }
}
