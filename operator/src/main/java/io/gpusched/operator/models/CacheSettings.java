package io.gpusched.operator.models;

import java.time.Duration;
import java.util.Map;

/// How models get into the caches of nodes.
///
/// @param namespace where loaders run that mount directories of nodes
/// @param image an image of this operator, which checks and publishes models
/// @param serviceAccount of the loaders; empty for the namespace's usual one
/// @param fetchers images that load models from addresses of other kinds, by scheme: `s3`
/// @param namePrefix what the names of all models at the scheduler begin with; may be empty
/// @param most loaders that run at a time in the cluster
/// @param startLimit how long a loader may take to start
public record CacheSettings(
        CacheVolume volume,
        String namespace,
        String image,
        String serviceAccount,
        Map<String, String> fetchers,
        String namePrefix,
        int most,
        Duration startLimit) {
    public static CacheSettings usual(String namespace, String image) {
        return new CacheSettings(
                new CacheVolume.HostPath("/var/lib/gpu-scheduler/models"),
                namespace,
                image,
                "",
                Map.of(),
                "",
                8,
                Duration.ofMinutes(10));
    }

    /// The namespace in which a loader of the model runs.
    String namespaceOf(String model) {
        if (volume instanceof CacheVolume.HostPath || !model.startsWith(namePrefix)) {
            return namespace;
        }
        String rest = model.substring(namePrefix.length());
        int dot = rest.indexOf('.');
        return dot > 0 ? rest.substring(0, dot) : namespace;
    }
}
