package io.gpusched.operator.models;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Where the nodes of a cluster keep models.
public sealed interface CacheVolume {
    String NAME = "model-cache";

    /// A directory of the node. Pods of all namespaces that may mount it use the same copies.
    ///
    /// @param path absolute
    record HostPath(String path) implements CacheVolume {
        public HostPath {
            if (!path.startsWith("/") || path.equals("/")) {
                throw new IllegalArgumentException(
                        "expected an absolute path for the model cache, found '"
                                + path
                                + "'; write for example /var/lib/gpu-scheduler/models");
            }
        }
    }

    /// A claim for every node, in each namespace that has models: a pod mounts only claims of its
    /// own namespace. The claims must be bound.
    ///
    /// @param pattern the name of a claim, with `{node}` in place of the name of the node
    record Claim(String pattern) implements CacheVolume {
        public Claim {
            if (!pattern.contains("{node}")) {
                throw new IllegalArgumentException(
                        "expected {node} in the claim of the model cache, found '"
                                + pattern
                                + "'; a volume that nodes share needs no cache: mount it in the"
                                + " pod template");
            }
        }
    }

    /// `/path`, or `claim:PATTERN`.
    static CacheVolume of(String text) {
        String claim = "claim:";
        return text.startsWith(claim)
                ? new Claim(text.substring(claim.length()))
                : new HostPath(text);
    }

    /// The directory in which pods see the cache. Replicas find their model below it.
    default String root() {
        return switch (this) {
            case HostPath(String path) -> path;
            case Claim _ -> "/models";
        };
    }

    /// Adds the volume to a pod, and mounts it in each of its containers.
    ///
    /// @param pod its `spec`
    default void mount(ObjectNode pod, String node, boolean readOnly) {
        ObjectNode volume = pod.withArray("volumes").addObject().put("name", NAME);
        switch (this) {
            case HostPath(String path) ->
                    volume.putObject("hostPath").put("path", path).put("type", "DirectoryOrCreate");
            case Claim(String pattern) ->
                    volume.putObject("persistentVolumeClaim")
                            .put("claimName", pattern.replace("{node}", node));
        }
        for (String containers : new String[] {"initContainers", "containers"}) {
            for (var each : pod.path(containers)) {
                if (each instanceof ObjectNode container) {
                    container
                            .withArray("volumeMounts")
                            .addObject()
                            .put("name", NAME)
                            .put("mountPath", root())
                            .put("readOnly", readOnly);
                }
            }
        }
    }
}
