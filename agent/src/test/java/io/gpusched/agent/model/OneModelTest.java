package io.gpusched.agent.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.wire.proto.agent.ModelOrder;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// Orders that are carried out one by one, as in a pod.
final class OneModelTest {
    @TempDir Path folder;

    private Path root = Path.of("");
    private Path source = Path.of("");

    @BeforeEach
    void makeASource() throws IOException {
        root = folder.resolve("cache");
        source = Files.createDirectories(folder.resolve("source"));
        Files.write(source.resolve("w.bin"), new byte[100]);
    }

    private ModelOrder order(long bytes) {
        return ModelOrder.newBuilder()
                .setModel("ns.llama")
                .setUri(source.toUri().toString())
                .setBytes(bytes)
                .build();
    }

    @Test
    void aModelIsLoadedOnceAndRemoved() throws Exception {
        var models = new OneModel(root);
        models.load(order(100), 0);
        Files.delete(source.resolve("w.bin"));
        models.load(order(100), 0);
        assertThat(new OneModel(root).complete()).isEqualTo(Map.of("ns.llama", 100L));
        models.remove("ns.llama");
        assertThat(models.complete()).isEmpty();
    }

    @Test
    void aModelThatDoesNotFitIsNotLoaded() throws IOException {
        var models = new OneModel(root);
        assertThatThrownBy(() -> models.load(order(100), 99)).hasMessageContaining("does not fit");
        assertThatThrownBy(() -> models.load(order(0), 99)).hasMessageContaining("does not fit");
        assertThat(models.complete()).isEmpty();
    }

    @Test
    void whatAnotherProgramLoadedIsCheckedAndPublished() throws IOException {
        var models = new OneModel(root);
        assertThatThrownBy(() -> models.publish(order(100), 0)).hasMessageContaining("nothing");
        Path fetched = Files.createDirectories(OneModel.fetched(root));
        Files.write(fetched.resolve("w.bin"), new byte[90]);
        assertThatThrownBy(() -> models.publish(order(100), 0)).hasMessageContaining("found 90");
        Files.write(fetched.resolve("w.bin"), new byte[101]);
        models.publish(order(100), 0);
        assertThat(models.complete()).isEqualTo(Map.of("ns.llama", 101L));
        assertThat(Files.exists(fetched)).isFalse();
    }
}
