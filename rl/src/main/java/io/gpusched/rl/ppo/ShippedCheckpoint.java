package io.gpusched.rl.ppo;

import io.gpusched.core.model.Check;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/// The checkpoint that comes with the program. To replace it, copy another checkpoint over the
/// resource `io/gpusched/rl/shipped.checkpoint`.
public final class ShippedCheckpoint {
    /// What users call it.
    public static final String NAME = "shipped";

    private static final String RESOURCE = "/io/gpusched/rl/shipped.checkpoint";

    private ShippedCheckpoint() {}

    /// The file as it is.
    public static byte[] bytes() {
        try (InputStream in = ShippedCheckpoint.class.getResourceAsStream(RESOURCE)) {
            Check.that(in != null, "the program has no resource %s", RESOURCE);
            return in == null ? new byte[0] : in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resource " + RESOURCE, e);
        }
    }

    public static Checkpoint read() {
        return CheckpointFile.parse(NAME, bytes());
    }
}
