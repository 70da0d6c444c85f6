package io.gpusched.core.cell;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.event.Batch;

/// Receives every durable batch, in order: followers, live updates, metrics, auditors.
public interface Listener {
    void concluded(Batch batch, CycleResult cycleResult);

    /// A cycle recorded no event. Its explanations are new all the same: a job may wait for another
    /// reason than before. Earlier batches may not be durable yet.
    default void nothingChanged(CycleResult cycleResult) {}
}
