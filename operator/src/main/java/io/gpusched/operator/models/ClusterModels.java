package io.gpusched.operator.models;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.agent.model.ModelHost;
import io.gpusched.operator.kube.DeleteOptions;
import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.KubeApi.PatchKind;
import io.gpusched.operator.kube.KubeException;
import io.gpusched.operator.kube.ListQuery;
import io.gpusched.operator.kube.ResourceType;
import io.gpusched.wire.proto.agent.HeldModel;
import io.gpusched.wire.proto.agent.ModelOrder;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// The model caches of a cluster. A node has one if it has the label
/// `gpu-scheduler.io/model-cache-gb`.
///
/// One thread carries the orders out with pods, one per node at a time. Nothing is remembered that
/// the cluster does not know: what nodes hold is in their annotations, and what is being loaded are
/// the pods, so an operator that takes over goes on where the last one stopped.
///
///     order: load a    pod runs → LOADING    pod succeeded → annotation of the node → CACHED
public final class ClusterModels implements ModelHost {
    private static final Logger log = LoggerFactory.getLogger(ClusterModels.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration NODES_EVERY = Duration.ofSeconds(30);
    private static final Duration LOG_EVERY = Duration.ofMinutes(1);

    private final KubeApi api;
    private final CacheSettings settings;
    private final InstantSource clock;
    private final Semaphore wakeup = new Semaphore(0);
    private final Thread thread;
    private final ModelOrders orders = new ModelOrders();
    private Runnable changed = () -> {};
    private volatile boolean closed;

    /// Replaced as a whole, so that the agent reads it without waiting.
    private volatile Map<String, List<HeldModel>> held = Map.of();

    // Only the thread uses what follows.
    private final Map<String, ObjectNode> nodes = new HashMap<>();
    private final Map<String, NodeCache> caches = new HashMap<>();
    private final Map<Loader, ObjectNode> running = new HashMap<>();
    private Instant nodesAt = Instant.MIN;
    private Instant podsAt = Instant.MIN;
    private Instant logAt = Instant.MIN;

    public ClusterModels(KubeApi api, CacheSettings settings, InstantSource clock) {
        this.api = api;
        this.settings = settings;
        this.clock = clock;
        this.thread = Thread.ofPlatform().name("model-caches").daemon().unstarted(this::run);
    }

    @Override
    public synchronized void start(Runnable listener) {
        changed = listener;
        thread.start();
    }

    @Override
    public void follow(String node, List<ModelOrder> now) {
        boolean differ;
        synchronized (this) {
            differ = orders.follow(node, now);
        }
        if (differ) {
            wakeup.release();
        }
    }

    @Override
    public void look() {
        // The thread looks by itself.
    }

    @Override
    public Map<String, List<HeldModel>> held() {
        return held;
    }

    @Override
    public String find(String node, String model) {
        for (HeldModel each : held.getOrDefault(node, List.of())) {
            if (each.getModel().equals(model) && each.getState() == HeldModel.State.CACHED) {
                return settings.volume().root() + "/" + model;
            }
        }
        return "";
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }

    private void run() {
        try {
            while (!closed) {
                guardedTurn();
                boolean _ = wakeup.tryAcquire(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                wakeup.drainPermits();
            }
        } catch (InterruptedException e) {
            log.debug("closed", e);
        }
    }

    private void guardedTurn() {
        Instant now = clock.instant();
        try {
            turn(now);
        } catch (KubeException e) {
            if (!now.isBefore(logAt)) {
                logAt = now.plus(LOG_EVERY);
                log.warn("model caches are not looked after: {}; trying again", e.getMessage());
            }
        }
    }

    /// Looks at nodes and loaders, starts what is due, and tells the agent if something changed.
    void turn(Instant now) {
        if (!now.isBefore(nodesAt)) {
            readNodes();
            nodesAt = now.plus(NODES_EVERY);
        }
        if (!running.isEmpty() || !now.isBefore(podsAt)) {
            readLoaders(now);
            podsAt = now.plus(NODES_EVERY);
        }
        startLoaders(now);
        tell();
    }

    private void readNodes() {
        var query = ListQuery.all().labelled(NodeCache.SIZE_LABEL);
        List<ObjectNode> found = api.list(ResourceType.NODES, query).items();
        caches.clear();
        nodes.clear();
        for (ObjectNode node : found) {
            NodeCache cache = NodeCache.of(node);
            caches.put(cache.node(), cache);
            nodes.put(cache.node(), node);
        }
    }

    /// All loaders there are; those that have ended are recorded and deleted.
    private void readLoaders(Instant now) {
        boolean everywhere = settings.volume() instanceof CacheVolume.Claim;
        var query = new ListQuery(everywhere ? "" : settings.namespace(), Loader.SELECTOR, "");
        running.clear();
        for (ObjectNode pod : api.list(ResourceType.PODS, query).items()) {
            Loader loader = Loader.of(pod);
            if (pod.at("/metadata").hasNonNull("deletionTimestamp")) {
                running.put(loader, pod);
                continue;
            }
            switch (LoaderResult.of(pod, now, settings.startLimit())) {
                case LoaderResult.Working _ -> {
                    running.put(loader, pod);
                    if (!loader.remove() && isUnwanted(loader)) {
                        delete(pod);
                    }
                }
                case LoaderResult.Done done -> {
                    record(loader, done);
                    delete(pod);
                }
                case LoaderResult.Failed(var problem) -> {
                    log.warn("{} on {}: {}", loader.model(), loader.node(), problem);
                    failed(loader, problem, now);
                    delete(pod);
                }
            }
        }
    }

    private synchronized boolean isUnwanted(Loader loader) {
        return orders.isUnwanted(loader);
    }

    private synchronized void failed(Loader loader, String problem, Instant now) {
        orders.failed(loader, problem, now);
    }

    private synchronized void succeeded(Loader loader) {
        orders.succeeded(loader);
    }

    /// The pod is deleted only afterwards: if the record fails, it is read again.
    private void record(Loader loader, LoaderResult.Done done) {
        String name = loader.node();
        NodeCache before = caches.get(name);
        ObjectNode node = nodes.get(name);
        if (before == null || node == null) {
            return;
        }
        NodeCache after =
                loader.remove()
                        ? before.without(loader.model())
                        : before.with(loader.model(), done.bytes());
        if (!done.there().isEmpty()) {
            String namespace = settings.namespaceOf(loader.model());
            after = after.found(done.there(), each -> settings.namespaceOf(each).equals(namespace));
        }
        ObjectNode patched =
                api.patch(ResourceType.NODES, "", name, "", PatchKind.MERGE, after.patch(node));
        nodes.put(name, patched);
        caches.put(name, after);
        succeeded(loader);
        log.info(
                "{} model {} on {}",
                loader.remove() ? "removed" : "loaded",
                loader.model(),
                loader.node());
    }

    private void delete(ObjectNode pod) {
        try {
            api.delete(
                    ResourceType.PODS,
                    pod.at("/metadata/namespace").asText(),
                    pod.at("/metadata/name").asText(),
                    DeleteOptions.only(pod.at("/metadata/uid").asText()));
        } catch (KubeException e) {
            if (!e.isNotFound() && !e.isConflict()) {
                throw e;
            }
        }
    }

    private void startLoaders(Instant now) {
        Set<String> busy = new HashSet<>();
        running.keySet().forEach(loader -> busy.add(loader.node()));
        for (String node : nodesWithOrders()) {
            NodeCache cache = caches.get(node);
            if (cache == null || busy.contains(node) || running.size() >= settings.most()) {
                continue;
            }
            ModelOrders.Next next = next(cache, now);
            if (next != null) {
                start(next, cache, now);
            }
        }
    }

    private synchronized Set<String> nodesWithOrders() {
        return orders.nodes();
    }

    private synchronized ModelOrders.@Nullable Next next(NodeCache cache, Instant now) {
        return orders.next(cache, now);
    }

    private void start(ModelOrders.Next next, NodeCache cache, Instant now) {
        Loader loader = next.loader();
        ObjectNode pod = loader.pod(next.order(), cache.mostBytes(), settings);
        try {
            String namespace = pod.at("/metadata/namespace").asText();
            running.put(loader, api.create(ResourceType.PODS, namespace, pod));
        } catch (KubeException e) {
            if (e.isConflict()) { // It is there already, and is read in the next turn.
                running.put(loader, pod);
            } else if (e.isTransient()) {
                throw e;
            } else {
                failed(loader, "no pod can be made: " + e.getMessage(), now);
            }
        }
    }

    private void tell() {
        var now = new TreeMap<String, List<HeldModel>>();
        caches.forEach((node, cache) -> now.put(node, held(cache)));
        if (!now.equals(held)) {
            held = now;
            changed.run();
        }
    }

    private List<HeldModel> held(NodeCache cache) {
        var all = new ArrayList<HeldModel>();
        cache.models()
                .forEach(
                        (model, bytes) ->
                                all.add(
                                        state(model, HeldModel.State.CACHED)
                                                .setBytes(bytes)
                                                .build()));
        Set<String> loading = new HashSet<>();
        for (Loader loader : running.keySet()) {
            if (loader.node().equals(cache.node()) && !loader.remove()) {
                loading.add(loader.model());
                all.add(state(loader.model(), HeldModel.State.LOADING).build());
            }
        }
        problems(cache.node())
                .forEach(
                        (model, problem) -> {
                            if (!loading.contains(model) && !cache.models().containsKey(model)) {
                                all.add(
                                        state(model, HeldModel.State.FAILED)
                                                .setProblem(problem)
                                                .build());
                            }
                        });
        return all;
    }

    private synchronized Map<String, String> problems(String node) {
        return orders.problems(node);
    }

    private static HeldModel.Builder state(String model, HeldModel.State state) {
        return HeldModel.newBuilder().setModel(model).setState(state);
    }
}
