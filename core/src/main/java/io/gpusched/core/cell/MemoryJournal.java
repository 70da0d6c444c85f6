package io.gpusched.core.cell;

import io.gpusched.core.event.Batch;
import io.gpusched.core.model.Check;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// A journal that lasts as long as the process: for simulation, tests and benchmarks.
public final class MemoryJournal implements Journal {
    private final List<Batch> batches = new ArrayList<>();

    @Override
    public void append(Batch batch, Runnable durable) {
        Check.that(
                batch.number() == batches.size() + 1L,
                "batch %s comes after %s",
                batch.number(),
                batches.size());
        Check.that(
                batches.isEmpty() || batch.term() >= batches.getLast().term(),
                "term %s is over",
                batch.term());
        batches.add(batch);
        durable.run();
    }

    @Override
    public void replay(long after, Consumer<Batch> into) {
        for (long number = after; number < batches.size(); number++) {
            into.accept(batches.get((int) number));
        }
    }

    public int size() {
        return batches.size();
    }
}
