package io.gpusched.sim.whatif;

import io.gpusched.core.event.Batch;

import java.util.function.Consumer;

/// A journal that can be read more than once.
public interface History {
    /// Passes every batch after number `after` to `into`, in order.
    void read(long after, Consumer<Batch> into);
}
