package io.gpusched.core.cell;

import io.gpusched.core.event.Batch;

import java.util.function.Consumer;

/// Where batches become durable. One contract suite holds for every implementation.
public interface Journal {
    /// Appends the batch and runs `durable` once, when it cannot be lost any more: before this
    /// returns or later, but in order. A batch that is not the next one, or comes from a stale
    /// term, is refused with an exception and nothing is written.
    void append(Batch batch, Runnable durable);

    /// Hands every batch after number `after` to `into`, in order.
    void replay(long after, Consumer<Batch> into);
}
