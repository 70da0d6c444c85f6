package io.gpusched.core.pool;

import java.time.Duration;
import java.util.List;

/// A model that replicas load, and how nodes keep it in their caches.
///
/// @param uri where it is loaded from; empty where nodes need not know
/// @param sizeBytes 0 where it is not known
/// @param loadTime how long it takes to load where it is not cached; zero where it is not known
/// @param cachePriority models of a higher priority stay in a cache longer
/// @param pin how long it stays in a cache after its last use, whatever else is wanted there
/// @param preloadNodes nodes that load it ahead of need
/// @param smaller the model to fall back to; empty where there is none
/// @param larger the model that answers better or faster; empty where there is none
public record ModelSpec(
        String name,
        String uri,
        long sizeBytes,
        Duration loadTime,
        int cachePriority,
        Eviction eviction,
        Duration pin,
        List<String> preloadNodes,
        String smaller,
        String larger) {
    /// On jobs: the model that they load.
    public static final String LABEL = "neuronetes.io/model";

    /// When a node may remove the model from its cache.
    public enum Eviction {
        NEVER,
        IDLE,
        LOW_PRIORITY
    }

    public ModelSpec {
        preloadNodes = List.copyOf(preloadNodes);
    }
}
