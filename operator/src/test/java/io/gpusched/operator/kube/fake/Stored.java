package io.gpusched.operator.kube.fake;

import com.fasterxml.jackson.databind.node.ObjectNode;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;

/// One version of an object. The tree must not be changed: a new version gets a new tree. Its text
/// is made once, however many watches there are.
final class Stored {
    private final ObjectNode object;
    private final long version;
    private byte @Nullable [] bytes;

    Stored(ObjectNode object, long version) {
        this.object = object;
        this.version = version;
    }

    ObjectNode object() {
        return object;
    }

    long version() {
        return version;
    }

    /// Two threads may both write it; the result is the same.
    byte[] bytes() {
        byte[] made = bytes;
        if (made == null) {
            made = object.toString().getBytes(StandardCharsets.UTF_8);
            bytes = made;
        }
        return made;
    }

    static String key(String namespace, String name) {
        return namespace + "/" + name;
    }

    String key() {
        return key(namespace(), name());
    }

    String namespace() {
        return object.path("metadata").path("namespace").asText("");
    }

    String name() {
        return object.path("metadata").path("name").asText("");
    }
}
