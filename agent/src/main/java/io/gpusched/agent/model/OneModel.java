package io.gpusched.agent.model;

import io.gpusched.wire.proto.agent.ModelOrder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/// Carries out one order in a cache directory that no agent keeps, with the same layout and checks
/// as [LocalModels]. Only one may run per directory.
public final class OneModel {
    /// Where another program puts a model that [#publish] is to check.
    private static final String FETCHED = ".fetched";

    private final Path root;
    private final ModelDirectory directory;

    /// Removes what an earlier load left incomplete.
    public OneModel(Path root) throws IOException {
        this.root = root.toAbsolutePath();
        this.directory = new ModelDirectory(this.root);
    }

    /// The complete models and their sizes.
    public Map<String, Long> complete() throws IOException {
        return directory.complete();
    }

    /// Loads the model unless it is complete.
    ///
    /// @param most the most bytes of all models; 0 for no limit
    public void load(ModelOrder order, long most) throws IOException, InterruptedException {
        discardFetched();
        if (directory.find(order.getModel()) == null) {
            new ModelLoading(directory, order, left(most)).run();
        }
    }

    /// The directory into which another program loads the model for [#publish].
    public static Path fetched(Path root) {
        return root.resolve(FETCHED);
    }

    /// Makes what another program loaded complete, if it is as large as it should be.
    public void publish(ModelOrder order, long most) throws IOException {
        Path found = fetched(root);
        if (directory.find(order.getModel()) == null) {
            long bytes = Files.isDirectory(found) ? ModelDirectory.bytes(found) : 0;
            ModelLoading.checkSize(order, bytes, left(most));
            Path draft = directory.draft(order.getModel());
            Files.move(found, draft, StandardCopyOption.REPLACE_EXISTING);
            directory.publish(order.getModel());
        }
        discardFetched();
    }

    public void remove(String model) throws IOException {
        discardFetched();
        directory.remove(model);
    }

    private long left(long most) throws IOException {
        long left = most == 0 ? Long.MAX_VALUE : most;
        for (long bytes : directory.complete().values()) {
            left -= bytes;
        }
        return Math.max(0, left);
    }

    private void discardFetched() throws IOException {
        ModelDirectory.delete(fetched(root));
    }
}
