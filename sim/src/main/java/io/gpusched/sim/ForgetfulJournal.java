package io.gpusched.sim;

import io.gpusched.core.cell.Journal;
import io.gpusched.core.event.Batch;
import io.gpusched.core.model.Check;

import java.util.function.Consumer;

/// Keeps nothing, for simulations that are never restarted: a long one would not fit in memory.
public final class ForgetfulJournal implements Journal {
    @Override
    public void append(Batch batch, Runnable durable) {
        durable.run();
    }

    @Override
    public void replay(long after, Consumer<Batch> into) {
        Check.that(after == 0, "batches after %s have been forgotten", after);
    }
}
