package io.gpusched.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.agent.model.LocalModels;
import io.gpusched.agent.model.MachineModels;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

final class ModelCachesTest {
    @TempDir Path root;

    private static TaskOrder task(String model) {
        var spec = TaskSpec.newBuilder().putEnvironment("GPU_SCHEDULER_MODEL", model);
        return TaskOrder.newBuilder().setSpec(spec).build();
    }

    @Test
    void aTaskFindsItsModelWhereTheCacheHoldsIt() throws IOException {
        Files.write(Files.createDirectories(root.resolve("llama")).resolve("w.bin"), new byte[9]);
        try (var models = new ModelCaches(new MachineModels("n1", new LocalModels(root, 0)))) {
            assertThat(models.placed("n2", List.of(task("llama")))).containsExactly(task("llama"));
            assertThat(models.placed("n1", List.of(task("llama"), task("qwen"))))
                    .extracting(order -> order.getSpec().getEnvironmentMap())
                    .containsExactly(
                            Map.of(
                                    "GPU_SCHEDULER_MODEL",
                                    "llama",
                                    "GPU_SCHEDULER_MODEL_DIR",
                                    root.resolve("llama").toString()),
                            Map.of("GPU_SCHEDULER_MODEL", "qwen"));
        }
    }
}
