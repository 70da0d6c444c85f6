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

    /// On nodes: models that they hold whatever the scheduler does, separated by commas.
    public static final String CACHED_LABEL = "neuronetes.io/cached-models";

    /// On nodes: the node has a cache into which it loads models when told, of so many GB (10^9
    /// bytes); 0 for one without a limit.
    public static final String CACHE_LABEL = "gpu-scheduler.io/model-cache-gb";

    /// When a node may remove the model from its full cache. It never removes a model that a job on
    /// the node uses, or one that is still pinned.
    public enum Eviction {
        /// Never.
        NEVER,
        /// For any other model.
        IDLE,
        /// For a model of a higher cache priority.
        LOW_PRIORITY
    }

    public ModelSpec {
        preloadNodes = List.copyOf(preloadNodes);
    }
}
