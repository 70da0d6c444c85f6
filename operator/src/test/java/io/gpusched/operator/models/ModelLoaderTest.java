package io.gpusched.operator.models;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.KubeYaml;
import io.gpusched.wire.proto.agent.ModelOrder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// What a loader's pod does, with the variables that its pod has.
final class ModelLoaderTest {
    @TempDir Path folder;

    private Map<String, String> variables(String model, String uri, boolean remove) {
        var order = ModelOrder.newBuilder().setModel(model).setUri(uri).build();
        ObjectNode pod =
                new Loader("n1", model, remove)
                        .pod(order, 1_000, CacheSettings.usual("default", "image"));
        var all = new HashMap<String, String>();
        for (JsonNode each : pod.at("/spec/containers/0/env")) {
            all.put(each.path("name").asText(), each.path("value").asText());
        }
        all.put("MODEL_CACHE", folder.resolve("cache").toString());
        return all;
    }

    private String run(Map<String, String> variables, int status) throws IOException {
        Path message = folder.resolve("termination-log");
        assertThat(ModelLoader.run(variables, message)).isEqualTo(status);
        return Files.readString(message);
    }

    @Test
    void aModelIsLoadedAndRemovedAndTheVolumeIsTold() throws IOException {
        Path source = Files.createDirectories(folder.resolve("source"));
        Files.write(source.resolve("w.bin"), new byte[10]);
        String uri = source.toUri().toString();
        assertThat(run(variables("a.llama", uri, false), 0))
                .isEqualTo("{\"bytes\":10,\"models\":{\"a.llama\":10}}");
        assertThat(run(variables("a.qwen", uri, false), 0))
                .isEqualTo("{\"bytes\":10,\"models\":{\"a.llama\":10,\"a.qwen\":10}}");
        assertThat(run(variables("a.llama", "", true), 0))
                .isEqualTo("{\"bytes\":0,\"models\":{\"a.qwen\":10}}");
    }

    @Test
    void aProblemIsTold() throws IOException {
        assertThat(run(variables("a.llama", "s3://b/llama", false), 1))
                .isEqualTo(
                        "{\"problem\":\"agents load models from file:, http: and https: addresses,"
                                + " found 's3://b/llama'\"}");
        assertThat(run(Map.of(), 1)).contains("expected the variable MODEL_NAME");
        assertThat(
                        KubeYaml.object(run(variables("m", "file:///no/such", false), 1))
                                .path("problem")
                                .asText())
                .contains("/no/such");
    }
}
