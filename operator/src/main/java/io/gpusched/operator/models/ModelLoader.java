package io.gpusched.operator.models;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.agent.model.OneModel;
import io.gpusched.wire.proto.agent.ModelOrder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// What a loader's pod runs: loads or removes one model of the volume that it mounts, and says in
/// the pod's termination message what the volume holds now, or what went wrong.
public final class ModelLoader {
    /// The kubelet keeps so many bytes of a termination message.
    private static final int MOST_BYTES = 4_000;

    private static final ObjectMapper JSON = new ObjectMapper();

    private ModelLoader() {}

    /// @param environment variables as [Loader] sets them
    /// @param message the file of the termination message
    /// @return the status to exit with
    public static int run(Map<String, String> environment, Path message) throws IOException {
        ObjectNode told = JSON.createObjectNode();
        int status = 0;
        try {
            carryOut(environment, told);
        } catch (IOException | IllegalArgumentException e) {
            told.removeAll();
            told.put("problem", e.getMessage() == null ? e.toString() : e.getMessage());
            status = 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            told.removeAll().put("problem", "interrupted");
            status = 1;
        }
        if (told.toString().getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
            told.remove("models");
        }
        System.out.println(told);
        Files.writeString(message, told.toString());
        return status;
    }

    private static void carryOut(Map<String, String> environment, ObjectNode told)
            throws IOException, InterruptedException {
        String name = text(environment, "MODEL_NAME");
        var order =
                ModelOrder.newBuilder()
                        .setModel(name)
                        .setUri(environment.getOrDefault("MODEL_URI", ""))
                        .setBytes(number(environment, "MODEL_BYTES"))
                        .build();
        long most = number(environment, "MODEL_CACHE_BYTES");
        var models = new OneModel(Path.of(text(environment, "MODEL_CACHE")));
        if (environment.getOrDefault("MODEL_ACTION", "").equals("remove")) {
            models.remove(name);
        } else if (Boolean.parseBoolean(environment.get("MODEL_FETCHED"))) {
            models.publish(order, most);
        } else {
            models.load(order, most);
        }
        Map<String, Long> complete = models.complete();
        told.put("bytes", complete.getOrDefault(name, 0L));
        ObjectNode all = told.putObject("models");
        complete.forEach(all::put);
    }

    private static String text(Map<String, String> environment, String name) {
        String found = environment.getOrDefault(name, "");
        if (found.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected the variable " + name + ", found none; the operator sets it");
        }
        return found;
    }

    private static long number(Map<String, String> environment, String name) {
        String found = environment.getOrDefault(name, "0");
        return found.matches("[0-9]{1,18}") ? Long.parseLong(found) : 0;
    }
}
