package io.gpusched.server.learn;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.learn.runtime.ModelImage;
import io.gpusched.core.learn.runtime.RuntimeModel;

import org.jspecify.annotations.Nullable;

/// Copies of the learned runtime model of the follower's engine, for readers that take long.
/// Copying blocks the follower's thread, so the last copy is reused until more is learned.
///
/// Only one follower's thread may call it; the copies themselves never change.
public final class ModelCopies {
    private long version;
    private @Nullable ModelImage last;

    /// A copy of the model. Equal versions are the same copy.
    public record Copy(long version, ModelImage image) {}

    public Copy of(Engine engine) {
        RuntimeModel model = engine.learner().model();
        ModelImage image = last;
        if (image == null || model.version() != version) {
            image = model.image();
            last = image;
            version = model.version();
        }
        return new Copy(version, image);
    }
}
