package io.gpusched.core.policy;

import io.gpusched.core.learn.runtime.RuntimeModel;

/// A scorer that uses the learned runtime model. The engine hands its model over once, before any
/// other call; the scorer reads it and changes nothing.
///
/// The costs of such a scorer change over time, because the model keeps learning. This does not
/// affect replay: decisions are recorded, and read rather than made again.
public interface UsesModel extends Scorer {
    void teach(RuntimeModel model);
}
