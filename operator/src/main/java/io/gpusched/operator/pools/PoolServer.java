package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What the operator asks the scheduler about pools. Every method blocks for a few seconds at most
/// and throws [ServerFault].
interface PoolServer {
    /// Applies a manifest.
    ///
    /// @param dryRun only checks it
    /// @return warnings
    List<String> apply(ObjectNode manifest, boolean dryRun);

    /// Removes an object, also one that others use. A pool is gone when its replicas have stopped;
    /// one that is not there is a [ServerFault] that [ServerFault#isNotFound].
    void remove(PoolKind kind, String name);

    /// Holds a pool at a size; null lets its rules decide.
    void hold(String pool, @Nullable Integer replicas, String reason);

    /// All pools; null where nothing has changed since the last answer. To be called by one thread.
    @Nullable List<JsonNode> pools();

    /// All models that are declared, with the nodes that hold them.
    List<JsonNode> models();
}
