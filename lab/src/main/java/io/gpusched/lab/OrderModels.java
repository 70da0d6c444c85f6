package io.gpusched.lab;

import io.gpusched.core.policy.learned.HeadEncoder;
import io.gpusched.core.policy.learned.ScoreModel;
import io.gpusched.lab.swf.FirstOfModel;
import io.gpusched.wire.model.BadModelFile;
import io.gpusched.wire.model.ModelFile;
import io.gpusched.wire.model.ShippedModel;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/// The learned orders that options name: a file, or one that ships with the lab.
final class OrderModels {
    private static final String BATCH = "order/batch.model";

    private OrderModels() {}

    /// An order for sequences of a batch log.
    static ScoreModel batch(String name) {
        return name.equals(ShippedModel.NAME)
                ? shippedForBatch()
                : read(name, FirstOfModel.ENCODER);
    }

    /// An order for a cluster with GPUs; the shipped one is that of the scheduler.
    static ScoreModel cluster(String name) {
        return name.equals(ShippedModel.NAME)
                ? ShippedModel.read()
                : read(name, HeadEncoder.VERSION);
    }

    private static ScoreModel read(String file, String encoder) {
        try {
            return ModelFile.read(Path.of(file), encoder);
        } catch (BadModelFile bad) {
            throw new UserError("--checkpoint: " + bad.getMessage());
        }
    }

    private static ScoreModel shippedForBatch() {
        try (InputStream in = OrderModels.class.getResourceAsStream(BATCH)) {
            if (in == null) {
                throw new IllegalStateException(BATCH + " is missing in this build");
            }
            return ModelFile.parse(
                    "the model that ships with the lab", in.readAllBytes(), FirstOfModel.ENCODER);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
