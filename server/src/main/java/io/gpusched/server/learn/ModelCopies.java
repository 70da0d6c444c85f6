package io.gpusched.server.learn;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.learn.runtime.ModelImage;
import io.gpusched.core.learn.runtime.RuntimeModel;

import org.jspecify.annotations.Nullable;

/// Copies of what the followed engine knows about run times, for whoever wants to look at it for
/// longer. Copying holds everybody up, so the last copy is handed out until something was learned.
///
/// One follower's thread asks; the copies themselves never change.
public final class ModelCopies {
    private long version;
    private @Nullable ModelImage last;

    /// What is known now. Equal versions have the same copy.
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
