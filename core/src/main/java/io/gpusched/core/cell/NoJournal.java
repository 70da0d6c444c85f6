package io.gpusched.core.cell;

import io.gpusched.core.event.Batch;
import io.gpusched.core.model.Check;

import java.util.function.Consumer;

/// Keeps nothing, for experiments that never restart: the batches of a long one do not fit in
/// memory.
public final class NoJournal implements Journal {
    @Override
    public void append(Batch batch, Runnable durable) {
        durable.run();
    }

    @Override
    public void replay(long after, Consumer<Batch> into) {
        Check.that(after == 0, "batches after %s were not kept", after);
    }
}
