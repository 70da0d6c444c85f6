package io.gpusched.server.cell;

import io.gpusched.core.cell.Journal;
import io.gpusched.core.event.Batch;

import java.util.function.Consumer;

/// A journal that remembers how long the thread that appends was kept, so that deciding and storing
/// can be told apart.
public final class TimedJournal implements Journal {
    private final Journal journal;
    private long nanos;

    public TimedJournal(Journal journal) {
        this.journal = journal;
    }

    @Override
    public void append(Batch batch, Runnable durable) {
        long began = System.nanoTime();
        journal.append(batch, durable);
        nanos += System.nanoTime() - began;
    }

    @Override
    public void replay(long after, Consumer<Batch> into) {
        journal.replay(after, into);
    }

    /// Time spent in appending since this was last asked; by the appending thread.
    long takeNanos() {
        long taken = nanos;
        nanos = 0;
        return taken;
    }
}
