package io.gpusched.core.state;

import io.gpusched.core.model.Digest;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.pool.CacheState;
import io.gpusched.core.pool.ModelSpec;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The models' part of the ledger: the declared models, and which node holds which model. It is
/// indexed by model, so that a search for nodes does not look at all of them.
public final class ModelLedger {
    /// A node and a model that it holds or loads.
    public record Cached(NodeId node, String model, CacheState state) {}

    private final SequencedMap<String, ModelSpec> declared = new TreeMap<>();
    private final SequencedMap<String, SequencedMap<NodeId, CacheState>> byModel = new TreeMap<>();
    private long digest;
    private long contents;

    void restore(List<ModelSpec> models, List<Cached> cached) {
        models.forEach(this::put);
        cached.forEach(one -> cached(one.node(), one.model(), one.state()));
    }

    void put(ModelSpec model) {
        ModelSpec before = declared.put(model.name(), model);
        contents ^= fingerprint(model) ^ (before == null ? 0 : fingerprint(before));
        if (before == null) {
            digest ^= Digest.mix(0x30DE1, Digest.of(model.name()));
        }
    }

    void remove(String name) {
        ModelSpec before = declared.remove(name);
        if (before != null) {
            contents ^= fingerprint(before);
            digest ^= Digest.mix(0x30DE1, Digest.of(name));
        }
    }

    void cached(NodeId node, String model, CacheState state) {
        SequencedMap<NodeId, CacheState> nodes =
                byModel.computeIfAbsent(model, each -> new TreeMap<>());
        CacheState before =
                state == CacheState.EVICTED ? nodes.remove(node) : nodes.put(node, state);
        digest ^= before == null ? 0 : fingerprint(node, model, before);
        digest ^= state == CacheState.EVICTED ? 0 : fingerprint(node, model, state);
        if (nodes.isEmpty()) {
            byModel.remove(model);
        }
    }

    void nodeRemoved(NodeId node) {
        for (String model : List.copyOf(byModel.keySet())) {
            cached(node, model, CacheState.EVICTED);
        }
    }

    private static long fingerprint(ModelSpec model) {
        long hash = Digest.mix(Digest.of(model.name()), Digest.of(model.uri()));
        hash = Digest.mix(Digest.mix(hash, model.sizeBytes()), model.loadTime().toNanos());
        hash = Digest.mix(Digest.mix(hash, model.cachePriority()), model.eviction().ordinal());
        hash = Digest.mix(hash, model.pin().toNanos());
        for (String node : model.preloadNodes()) {
            hash = Digest.mix(hash, Digest.of(node));
        }
        return Digest.mix(Digest.mix(hash, Digest.of(model.smaller())), Digest.of(model.larger()));
    }

    private static long fingerprint(NodeId node, String model, CacheState state) {
        long hash = Digest.mix(Digest.of(node.name()), Digest.of(model));
        return Digest.mix(hash, state.ordinal());
    }

    /// The declared models, by name.
    public List<ModelSpec> declared() {
        return new ArrayList<>(declared.values());
    }

    public @Nullable ModelSpec find(String name) {
        return declared.get(name);
    }

    /// The nodes that hold or load the model, by name.
    public SequencedMap<NodeId, CacheState> nodes(String model) {
        SequencedMap<NodeId, CacheState> nodes = byModel.get(model);
        return nodes == null
                ? Collections.emptyNavigableMap()
                : Collections.unmodifiableSequencedMap(nodes);
    }

    /// Whether the node holds the model.
    public boolean holds(NodeId node, String model) {
        SequencedMap<NodeId, CacheState> nodes = byModel.get(model);
        return nodes != null && nodes.get(node) == CacheState.CACHED;
    }

    /// Every node with every model that it holds or loads.
    public List<Cached> cached() {
        var all = new ArrayList<Cached>();
        byModel.forEach(
                (model, nodes) ->
                        nodes.forEach((node, state) -> all.add(new Cached(node, model, state))));
        return all;
    }

    /// @param ledger the version of the ledger's rules; the oldest journals were recorded with the
    ///        names of the models only
    long digest(int ledger) {
        return ledger == 0 ? digest : digest ^ contents;
    }
}
