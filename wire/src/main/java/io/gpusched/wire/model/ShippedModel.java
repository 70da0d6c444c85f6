package io.gpusched.wire.model;

import io.gpusched.core.policy.learned.ScoreModel;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/// The model that ships with the project, used where none is configured. `docs/guide/learned.md`
/// names the command that made it.
public final class ShippedModel {
    /// What commands call it.
    public static final String NAME = "shipped";

    private static final String RESOURCE = "shipped.model";

    private ShippedModel() {}

    public static ScoreModel read() {
        try (InputStream in = ShippedModel.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing in this build");
            }
            return ModelFile.parse("the model that ships with the project", in.readAllBytes());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
