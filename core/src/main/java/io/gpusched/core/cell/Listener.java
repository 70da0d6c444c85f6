package io.gpusched.core.cell;

import io.gpusched.core.engine.Conclusion;
import io.gpusched.core.event.Batch;

/// Hears of every durable batch, in order: followers, live updates, metrics, auditors.
public interface Listener {
    void concluded(Batch batch, Conclusion conclusion);
}
