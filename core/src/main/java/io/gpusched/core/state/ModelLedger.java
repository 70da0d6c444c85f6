package io.gpusched.core.state;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Digest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.nodes.Nodes;
import io.gpusched.core.pool.CacheState;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.ModelSpec;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The models' part of the ledger: the declared models, and which node holds which model or should
/// hold it. It is indexed by model and by node, so that a search does not look at all of them.
public final class ModelLedger {
    /// How often jobs found on their nodes what they load and read.
    ///
    /// @param starts placements of jobs that name a model
    /// @param hits those of them whose nodes all held the model
    /// @param located placements of jobs that name vector stores to be near
    /// @param near those of them whose nodes all hold the stores
    public record Use(long starts, long hits, long located, long near) {
        public static final Use NONE = new Use(0, 0, 0, 0);
    }

    /// What is held where, as a value.
    public record Image(List<CachedModel> cached, Use use) {
        public static final Image EMPTY = new Image(List.of(), Use.NONE);

        public Image {
            cached = List.copyOf(cached);
        }
    }

    private final SequencedMap<String, ModelSpec> declared = new TreeMap<>();
    private final SequencedMap<String, SequencedMap<NodeId, CachedModel>> byModel = new TreeMap<>();
    private final SequencedMap<NodeId, SequencedSet<String>> byNode = new TreeMap<>();
    private Use use = Use.NONE;
    private int wanted;
    private long digest;
    private long contents;

    void restore(List<ModelSpec> models, Image image) {
        models.forEach(this::put);
        image.cached().forEach(this::put);
        use = image.use();
    }

    /// Takes in an event about models; any other changes nothing.
    void hear(Event event) {
        switch (event) {
            case Event.ModelPut e -> put(e.model());
            case Event.ModelRemoved e -> remove(e.model());
            case Event.ModelCached e ->
                    put(
                            entry(e.node(), e.model())
                                    .reported(e.state(), e.bytes(), e.problem(), e.at()));
            case Event.ModelWanted e -> put(entry(e.node(), e.model()).wanted(e.why()));
            case Event.ModelUnwanted e ->
                    put(entry(e.node(), e.model()).unwanted(e.evict(), e.why()));
            default -> {}
        }
    }

    private void put(ModelSpec model) {
        ModelSpec before = declared.put(model.name(), model);
        contents ^= fingerprint(model) ^ (before == null ? 0 : fingerprint(before));
        if (before == null) {
            digest ^= Digest.mix(0x30DE1, Digest.of(model.name()));
        }
    }

    private void remove(String name) {
        ModelSpec before = declared.remove(name);
        if (before != null) {
            contents ^= fingerprint(before);
            digest ^= Digest.mix(0x30DE1, Digest.of(name));
        }
    }

    /// A replica on the node has become ready.
    void loaded(NodeId node, String model, Instant at) {
        put(entry(node, model).loaded(at));
    }

    /// Counts a placement, before what the job finds there can change.
    void placed(Job job, Placement on, Nodes nodes) {
        Labels labels = job.spec().labels();
        String model = labels.value(ModelSpec.LABEL);
        String stores = labels.value(LocalityRules.STORES_LABEL);
        if (model.isEmpty() && stores.isEmpty()) {
            return;
        }
        boolean hit = true;
        boolean near = true;
        for (Slot slot : on.slots()) {
            NodeView node = nodes.find(slot.node());
            Labels there = node == null ? Labels.NONE : node.facts().labels();
            hit &= holds(slot.node(), model) || there.lists(ModelSpec.CACHED_LABEL, model);
            near &= holdsAll(there, stores);
        }
        use =
                new Use(
                        use.starts + (model.isEmpty() ? 0 : 1),
                        use.hits + (!model.isEmpty() && hit ? 1 : 0),
                        use.located + (stores.isEmpty() ? 0 : 1),
                        use.near + (!stores.isEmpty() && near ? 1 : 0));
    }

    private static boolean holdsAll(Labels there, String stores) {
        for (String store : stores.split(",", -1)) {
            String name = store.strip();
            if (!name.isEmpty() && !there.lists(LocalityRules.HELD_LABEL, name)) {
                return false;
            }
        }
        return true;
    }

    /// A job leaves its nodes; it used its model until now.
    void left(@Nullable Job job, Instant at) {
        Run run = job == null ? null : job.phase().run();
        String model = job == null ? "" : job.spec().labels().value(ModelSpec.LABEL);
        if (run == null || model.isEmpty()) {
            return;
        }
        for (Slot slot : run.on().slots()) {
            CachedModel known = find(slot.node(), model);
            if (known != null && known.isThere()) {
                put(known.used(at));
            }
        }
    }

    void nodeRemoved(NodeId node) {
        for (String model :
                List.copyOf(byNode.getOrDefault(node, Collections.emptyNavigableSet()))) {
            put(CachedModel.none(node, model));
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

    private CachedModel entry(NodeId node, String model) {
        CachedModel known = find(node, model);
        return known == null ? CachedModel.none(node, model) : known;
    }

    private void put(CachedModel next) {
        SequencedMap<NodeId, CachedModel> nodes =
                byModel.computeIfAbsent(next.model(), each -> new TreeMap<>());
        SequencedSet<String> models = byNode.computeIfAbsent(next.node(), each -> new TreeSet<>());
        CachedModel before =
                next.isOver() ? nodes.remove(next.node()) : nodes.put(next.node(), next);
        if (next.isOver()) {
            models.remove(next.model());
        } else {
            models.add(next.model());
        }
        digest ^= before == null ? 0 : before.digest();
        digest ^= next.isOver() ? 0 : next.digest();
        wanted += (next.wanted() ? 1 : 0) - (before != null && before.wanted() ? 1 : 0);
        if (nodes.isEmpty()) {
            byModel.remove(next.model());
        }
        if (models.isEmpty()) {
            byNode.remove(next.node());
        }
    }

    /// The declared models, by name.
    public List<ModelSpec> declared() {
        return new ArrayList<>(declared.values());
    }

    public @Nullable ModelSpec find(String name) {
        return declared.get(name);
    }

    public @Nullable CachedModel find(NodeId node, String model) {
        SequencedMap<NodeId, CachedModel> nodes = byModel.get(model);
        return nodes == null ? null : nodes.get(node);
    }

    /// The nodes that hold the model, load it or should hold it, by name.
    public SequencedMap<NodeId, CachedModel> nodes(String model) {
        SequencedMap<NodeId, CachedModel> nodes = byModel.get(model);
        return nodes == null
                ? Collections.emptyNavigableMap()
                : Collections.unmodifiableSequencedMap(nodes);
    }

    /// The models that the node holds, loads or should hold, by name.
    public List<CachedModel> on(NodeId node) {
        var all = new ArrayList<CachedModel>();
        for (String model : byNode.getOrDefault(node, Collections.emptyNavigableSet())) {
            CachedModel known = find(node, model);
            if (known != null) {
                all.add(known);
            }
        }
        return all;
    }

    /// Whether the node holds the model.
    public boolean holds(NodeId node, String model) {
        CachedModel known = find(node, model);
        return known != null && known.state() == CacheState.CACHED;
    }

    /// Whether any node should hold any model ahead of need.
    public boolean wantsAny() {
        return wanted > 0;
    }

    /// Every model on every node.
    public List<CachedModel> cached() {
        var all = new ArrayList<CachedModel>();
        byModel.values().forEach(nodes -> all.addAll(nodes.values()));
        return all;
    }

    public Use use() {
        return use;
    }

    Image image() {
        return new Image(cached(), use);
    }

    /// Without the counts of use, which decide nothing and which earlier versions did not count.
    ///
    /// @param ledger the version of the ledger's rules; the oldest journals were recorded with the
    ///        names of the models only
    long digest(int ledger) {
        return ledger == 0 ? digest : digest ^ contents;
    }
}
