package io.gpusched.core.pool;

import java.util.List;

/// Near what replicas should run, and away from what.
///
/// @param near data that a node may hold, for example shards of a vector store
/// @param weightPercent the part of the score of a node that nearness has; 0 takes the policy's own
///        weight
/// @param apart kinds, components, pools or agent classes of jobs that should not run on the same
///        node
/// @param cachePercent the part of the score that a cached model has; 0 takes the policy's own
///        weight
/// @param minCached nodes on which the model is kept in the cache ahead of need
/// @param preloadLabel only nodes with this label are used for preloading, `key=value`; empty
///        means any
public record LocalityRules(
        List<String> near,
        int weightPercent,
        List<String> apart,
        int cachePercent,
        int minCached,
        String preloadLabel) {
    /// On jobs: vector stores to be near, separated by commas.
    public static final String STORES_LABEL = "neuronetes.io/vector-store-affinity";

    /// On nodes: the stores and caches that they hold.
    public static final String HELD_LABEL = "neuronetes.io/data-stores";

    public static final LocalityRules NONE = new LocalityRules(List.of(), 0, List.of(), 0, 0, "");

    public LocalityRules {
        near = List.copyOf(near);
        apart = List.copyOf(apart);
    }
}
