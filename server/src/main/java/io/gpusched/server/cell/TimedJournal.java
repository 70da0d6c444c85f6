package io.gpusched.server.cell;

import io.gpusched.core.cell.Journal;
import io.gpusched.core.event.Batch;

import java.util.function.Consumer;

/// A journal that measures how long appending takes, so that metrics can separate the time to
/// decide from the time to store.
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

    /// Time spent appending since the last call. Only the appending thread may call it.
    long takeNanos() {
        long taken = nanos;
        nanos = 0;
        return taken;
    }
}
