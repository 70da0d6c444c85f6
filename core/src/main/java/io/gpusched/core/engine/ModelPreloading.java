package io.gpusched.core.engine;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Role;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.place.NodeSearch;
import io.gpusched.core.pool.CacheState;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.state.CachedModel;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Decides which nodes load which models ahead of need.
///
/// A model is wanted on the nodes that it names itself, and for each pool on as many nodes as the
/// pool asks for. Models of a higher cache priority choose first. Among the nodes on which a
/// replica could ever run, these come first:
///
///     wanted there already · holds it · could load it, the one with the most free GPUs first
///
/// Why it does not oscillate: a node where a model is wanted comes before all others, so a choice
/// changes only when the node can no longer be used, or fewer nodes are asked for. A node that
/// could not load a model stays chosen beside another one; when more nodes fail than the pool asks
/// for, no further node is tried.
final class ModelPreloading {
    /// Further models are decided in the next look.
    private static final int MOST_PER_LOOK = 16;

    private record Key(NodeId node, String model) {}

    /// A model that some nodes should hold.
    private record Preload(ModelSpec model, @Nullable PoolEntry pool) {}

    private record Choice(NodeView node, int rank) {}

    private static final int WANTED = 0;
    private static final int HELD = 1;
    private static final int FREE = 2;

    private static final Comparator<Preload> ORDER =
            Comparator.comparingInt((Preload preload) -> -preload.model.cachePriority())
                    .thenComparing(preload -> preload.model.name());

    private final ClusterState state;
    private final NodeSearch nodeSearch;
    private final Cycle cycle;
    private final EngineSettings settings;
    private final CacheEviction eviction;
    private final Set<Key> needed = new LinkedHashSet<>();
    private int decided;

    ModelPreloading(
            ClusterState state, NodeSearch nodeSearch, EngineSettings settings, Cycle cycle) {
        this.state = state;
        this.nodeSearch = nodeSearch;
        this.settings = settings;
        this.cycle = cycle;
        this.eviction = new CacheEviction(state, cycle.now());
    }

    /// Whether any model is wanted somewhere, or should be.
    static boolean isAsked(ClusterState state) {
        return state.models().wantsAny()
                || state.models().declared().stream().anyMatch(ModelPreloading::namesNodes)
                || state.pools().all().stream().anyMatch(entry -> asks(entry));
    }

    private static boolean namesNodes(ModelSpec model) {
        return !model.preloadNodes().isEmpty();
    }

    private static boolean asks(PoolEntry entry) {
        return !entry.removed() && entry.pool().locality().minCached() > 0;
    }

    void run() {
        for (Preload preload : preloads()) {
            if (preload.pool == null) {
                onNamedNodes(preload.model);
            } else {
                forPool(preload.model, preload.pool);
            }
        }
        for (CachedModel each : state.models().cached()) {
            if (each.wanted() && !needed.contains(new Key(each.node(), each.model()))) {
                decide(eviction.unwanted(each.node(), each.model(), false, "no pool needs it"));
            }
        }
    }

    /// Only a model with an address can be loaded by nodes.
    private List<Preload> preloads() {
        var preloads = new ArrayList<Preload>();
        for (ModelSpec model : state.models().declared()) {
            if (namesNodes(model) && !model.uri().isEmpty()) {
                preloads.add(new Preload(model, null));
            }
        }
        for (PoolEntry entry : state.pools().all()) {
            ModelSpec model = asks(entry) ? state.models().find(entry.choice().model()) : null;
            if (model != null && !model.uri().isEmpty()) {
                preloads.add(new Preload(model, entry));
            }
        }
        preloads.sort(ORDER);
        return preloads;
    }

    private void onNamedNodes(ModelSpec model) {
        for (String name : model.preloadNodes()) {
            NodeView node = state.nodes().find(new NodeId(name));
            if (node != null && rank(node, model) <= FREE) {
                choose(node, model, "model " + model.name() + " is preloaded on this node");
            }
        }
    }

    private void forPool(ModelSpec model, PoolEntry entry) {
        Pool pool = entry.pool();
        int most = pool.locality().minCached();
        var choices = new ArrayList<Choice>();
        var failed = new ArrayList<NodeView>();
        for (NodeView node : suitable(entry)) {
            int rank = rank(node, model);
            if (isFailed(node, model)) {
                failed.add(node);
            } else if (rank <= FREE) {
                choices.add(new Choice(node, rank));
            }
        }
        String why = "pool " + pool.id() + " keeps it on " + most + " nodes";
        failed.stream().limit(most + 1L).forEach(node -> choose(node, model, why));
        choices.sort(
                Comparator.comparingInt(Choice::rank)
                        .thenComparingInt(choice -> choice.rank < FREE ? 0 : -free(choice.node))
                        .thenComparing(choice -> choice.node.facts().id()));
        int chosen = 0;
        for (Choice choice : choices) {
            boolean tries = choice.rank < FREE || failed.size() <= most;
            if (chosen < most && tries && choose(choice.node, model, why)) {
                chosen++;
            }
        }
    }

    /// The nodes with the pool's preload label on which a replica could ever run, by name.
    private List<NodeView> suitable(PoolEntry entry) {
        Pool pool = entry.pool();
        JobSpec spec = ReplicaSpecs.of(pool, 0, entry.choice().model(), settings.gpuMemoryPerGpu());
        var suits = new ArrayList<NodeSearch.Suitable>();
        for (Role role : spec.roles()) {
            suits.add(nodeSearch.suits(role.shape()));
        }
        String label = pool.locality().preloadLabel();
        int equals = label.indexOf('=');
        Labels wanted =
                equals < 1
                        ? Labels.NONE
                        : Labels.of(label.substring(0, equals), label.substring(equals + 1));
        var found = new ArrayList<NodeView>();
        for (NodeView node : state.nodes().all()) {
            if (node.facts().labels().containAll(wanted)
                    && suits.stream().anyMatch(each -> each.has(state.nodes().index(), node))) {
                found.add(node);
            }
        }
        return found;
    }

    /// How soon the node is chosen; more than [#FREE] where it cannot be.
    private int rank(NodeView node, ModelSpec model) {
        CachedModel known = state.models().find(node.facts().id(), model.name());
        boolean cache = CacheEviction.hasCache(node.facts());
        NodeStatus status = node.status();
        if (status.draining() || status.reach() == NodeStatus.Reach.LOST) {
            return FREE + 1;
        }
        if (cache && known != null && known.wanted()) {
            return WANTED;
        }
        if (known != null && known.state() == CacheState.CACHED) {
            return HELD;
        }
        boolean leaves = known != null && known.state() == CacheState.EVICTING;
        return cache && !leaves && status.open() ? FREE : FREE + 1;
    }

    private boolean isFailed(NodeView node, ModelSpec model) {
        CachedModel known = state.models().find(node.facts().id(), model.name());
        return known != null && known.state() == CacheState.FAILED && rank(node, model) == WANTED;
    }

    private static int free(NodeView node) {
        return Long.bitCount(node.freeGpus());
    }

    /// Makes the model wanted on the node, if it is not yet; false where it cannot be.
    private boolean choose(NodeView node, ModelSpec model, String why) {
        NodeId id = node.facts().id();
        if (!needed.add(new Key(id, model.name()))) {
            return true;
        }
        CachedModel known = state.models().find(id, model.name());
        boolean stays = known != null && known.wanted();
        if (stays || !CacheEviction.hasCache(node.facts())) {
            return true;
        }
        boolean held = known != null && known.reported() && known.state() == CacheState.CACHED;
        List<CachedModel> victims = held ? List.of() : eviction.victims(node, model);
        if (victims == null || decided >= MOST_PER_LOOK) {
            needed.remove(new Key(id, model.name()));
            return false;
        }
        for (CachedModel victim : victims) {
            decide(eviction.unwanted(id, victim.model(), true, "makes place for " + model.name()));
        }
        decide(new Event.ModelWanted(cycle.now(), id, model.name(), why));
        decided++;
        return true;
    }

    private void decide(Event event) {
        cycle.record(event);
    }
}
