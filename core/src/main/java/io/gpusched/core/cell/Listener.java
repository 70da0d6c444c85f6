package io.gpusched.core.cell;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.event.Batch;

/// Hears of every durable batch, in order: followers, live updates, metrics, auditors.
public interface Listener {
    void concluded(Batch batch, CycleResult cycleResult);

    /// A round came to nothing that must be recorded. Its explanations are news all the same: a job
    /// may wait for another reason than before. Batches before it may still be on their way.
    default void nothingChanged(CycleResult cycleResult) {}
}
