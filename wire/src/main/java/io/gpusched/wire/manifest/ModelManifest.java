package io.gpusched.wire.manifest;

import io.gpusched.wire.pool.TreeBuilder;
import io.gpusched.wire.request.JsonTree;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// Turns the `spec` of a Model into the document of a model.
final class ModelManifest {
    private ModelManifest() {}

    static JsonTree.Mapping document(String name, ManifestFields spec) {
        var out = new TreeBuilder().put("name", name);
        out.putUnlessEmpty("uri", spec.text("weightsURI"));
        if (!spec.has("weightsURI")) {
            spec.warn("weightsURI", "is missing: replicas must know where the weights are");
        }
        out.putUnlessZero("size_bytes", spec.bytes("size"));
        ManifestFields cache = spec.object("cachePolicy");
        out.putUnlessEmpty("cache_priority", cache.text("priority"));
        eviction(cache, out);
        out.putUnlessZero("pin_seconds", cache.duration("pinDuration", Duration.ZERO).toSeconds());
        out.putUnlessEmpty("preload_nodes", cache.texts("preloadNodes"));
        cache.end();
        out.putUnlessZero("load_seconds", spec.duration("loadTime", Duration.ZERO).toSeconds());
        out.putUnlessEmpty("smaller", spec.text("smaller"));
        out.putUnlessEmpty("larger", spec.text("larger"));
        for (String key :
                List.of("quantization", "shardSpec", "format", "architecture", "parameterCount")) {
            spec.without(key, "the command of the replicas decides how the model is loaded");
        }
        spec.end();
        return out.build();
    }

    private static void eviction(ManifestFields cache, TreeBuilder out) {
        String policy = cache.text("evictionPolicy").toLowerCase(Locale.ROOT);
        if (policy.equals("lru")) {
            cache.warn("evictionPolicy", "lru is read as idle: the model unused longest leaves");
            policy = "idle";
        }
        out.putUnlessEmpty("eviction", policy);
    }
}
