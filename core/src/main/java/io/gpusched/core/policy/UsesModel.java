package io.gpusched.core.policy;

import io.gpusched.core.learn.runtime.RuntimeModel;

/// A scorer that goes by what has been learned. The engine that uses it hands over its model once,
/// before it asks anything; the scorer reads it and changes nothing.
///
/// What such a scorer says is not the same at another time, because the model goes on learning. A
/// replay is not troubled by that: decisions are recorded, and read rather than made again.
public interface UsesModel extends Scorer {
    void teach(RuntimeModel model);
}
