package io.gpusched.operator.kube.fake;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Reads and writes what goes over the line.
final class Bodies {
    static final String JSON_TYPE = "application/json";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final YAMLMapper YAML = new YAMLMapper();

    private Bodies() {}

    static JsonNode tree(ApiCall call) {
        byte[] body = call.body();
        try {
            boolean isJson = body.length > 0 && (body[0] == '{' || body[0] == '[');
            return isJson ? JSON.readTree(body) : YAML.readTree(body);
        } catch (JacksonException e) {
            throw Refused.badRequest("the body cannot be parsed");
        } catch (IOException e) {
            throw new IllegalStateException(e); // It is in memory.
        }
    }

    static ObjectNode object(ApiCall call) {
        if (tree(call) instanceof ObjectNode object) {
            return object;
        }
        throw Refused.badRequest("the body is no object");
    }

    static byte[] of(JsonNode node) {
        return node.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// An object as a version of its type shows it.
    static byte[] of(Stored stored, ServedType type) {
        String apiVersion = type.type().apiVersion();
        return stored.object().path("apiVersion").asText().equals(apiVersion)
                ? stored.bytes()
                : of(stored.object().deepCopy().put("apiVersion", apiVersion));
    }

    static byte[] list(ServedType type, List<Stored> items, String version, String next) {
        var out = new ByteArrayOutputStream();
        ObjectNode metadata = JSON.createObjectNode().put("resourceVersion", version);
        if (!next.isEmpty()) {
            metadata.put("continue", next);
        }
        write(
                out,
                "{\"kind\":\"%sList\",\"apiVersion\":\"%s\",\"metadata\":%s,\"items\":["
                        .formatted(type.type().kind(), type.type().apiVersion(), metadata));
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            out.writeBytes(of(items.get(i), type));
        }
        write(out, "]}");
        return out.toByteArray();
    }

    /// One line of a watch.
    static void event(ByteArrayOutputStream out, String type, byte[] object) {
        write(out, "{\"type\":\"" + type + "\",\"object\":");
        out.writeBytes(object);
        write(out, "}\n");
    }

    static ObjectNode bookmark(ServedType type, long version) {
        ObjectNode object = JSON.createObjectNode();
        object.put("kind", type.type().kind()).put("apiVersion", type.type().apiVersion());
        object.putObject("metadata")
                .put("resourceVersion", Long.toString(version))
                .putNull("creationTimestamp");
        return object;
    }

    static ObjectNode success() {
        ObjectNode status = JSON.createObjectNode();
        status.put("kind", "Status").put("apiVersion", "v1").put("status", "Success");
        return status;
    }

    private static void write(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
