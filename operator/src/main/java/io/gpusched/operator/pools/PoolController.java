package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.CacheListener;
import io.gpusched.operator.kube.EventRecorder;
import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.ListQuery;
import io.gpusched.operator.kube.ResourceCache;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Follows the custom resources of a cluster and lets a reconciler work on them: one cache for each
/// kind, and one thread that owns the reconciler.
///
/// Changes that arrive while the thread works are merged, so that the newest state of an object is
/// worked on, once. In a cluster without the definitions nothing happens until they are there.
///
/// To be started by the operator that leads, and closed when it leads no more.
public final class PoolController implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PoolController.class);
    private static final Duration TURN = Duration.ofMillis(500);
    private static final Duration LOG_EVERY = Duration.ofMinutes(1);

    private final PoolReconciler reconciler;
    private final InstantSource clock;
    private final Map<PoolKind, ResourceCache<ObjectNode>> caches = new TreeMap<>();
    private final Semaphore wakeup = new Semaphore(0);
    private final Thread thread;
    private Map<ObjectKey, Change> arrived = new LinkedHashMap<>();
    private Set<PoolKind> listed = EnumSet.noneOf(PoolKind.class);
    private volatile boolean closed;
    private Instant logAt = Instant.MIN;

    /// The newest that is known of an object.
    private sealed interface Change {
        record There(ObjectNode object) implements Change {}

        record Gone() implements Change {}
    }

    public PoolController(
            KubeApi api,
            RestPoolServer server,
            NamespaceTenants tenants,
            EventRecorder events,
            PoolSettings settings) {
        this.clock = InstantSource.system();
        this.reconciler = new PoolReconciler(api, server, tenants, events::record, settings);
        for (PoolKind kind : PoolKind.values()) {
            var followed =
                    new ResourceCache.Followed<>(
                            kind.type(), ListQuery.all(), PoolController::kept);
            caches.put(kind, new ResourceCache<>(api, followed, new Arrivals(kind)));
        }
        this.thread = Thread.ofPlatform().name("pools").daemon().unstarted(this::run);
    }

    public void start() {
        caches.values().forEach(ResourceCache::start);
        thread.start();
    }

    /// Why custom resources are not followed; empty where they are.
    public String problem() {
        List<String> problems = new ArrayList<>();
        caches.forEach(
                (kind, cache) -> {
                    if (!cache.failure().isEmpty()) {
                        problems.add(kind.type().plural() + ": " + cache.failure());
                    }
                });
        return String.join("; ", problems);
    }

    /// The fields that the API server keeps for itself are large, and nothing here needs them.
    private static ObjectNode kept(ObjectNode object) {
        if (object.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        return object;
    }

    private final class Arrivals implements CacheListener<ObjectNode> {
        private final PoolKind kind;

        Arrivals(PoolKind kind) {
            this.kind = kind;
        }

        @Override
        public void added(ObjectNode now) {
            arrive(ObjectKey.of(kind, now), new Change.There(now));
        }

        @Override
        public void modified(ObjectNode before, ObjectNode now) {
            added(now);
        }

        @Override
        public void deleted(ObjectNode last) {
            arrive(ObjectKey.of(kind, last), new Change.Gone());
        }

        @Override
        public void listed() {
            synchronized (PoolController.this) {
                listed.add(kind);
            }
            wakeup.release();
        }
    }

    private void arrive(ObjectKey key, Change change) {
        synchronized (this) {
            arrived.put(key, change);
        }
        wakeup.release();
    }

    private void run() {
        try {
            while (awaitWork()) {
                guardedTurn();
            }
        } catch (InterruptedException e) {
            log.debug("closed", e);
        }
    }

    /// Waits for changes, but not longer than until the next turn; passes them on.
    ///
    /// @return false when it is closed
    private boolean awaitWork() throws InterruptedException {
        boolean _ = wakeup.tryAcquire(TURN.toMillis(), TimeUnit.MILLISECONDS);
        wakeup.drainPermits();
        Map<ObjectKey, Change> changes;
        Set<PoolKind> complete;
        synchronized (this) {
            changes = arrived;
            complete = listed;
            arrived = new LinkedHashMap<>();
            listed = EnumSet.noneOf(PoolKind.class);
        }
        Instant now = clock.instant();
        changes.forEach(
                (key, change) -> {
                    switch (change) {
                        case Change.There(var object) -> reconciler.put(key.kind(), object, now);
                        case Change.Gone _ ->
                                reconciler.remove(key.kind(), key.namespace(), key.name());
                    }
                });
        complete.forEach(reconciler::listed);
        return !closed;
    }

    /// A mistake of ours in one turn must not end all others.
    private void guardedTurn() {
        Instant now = clock.instant();
        try {
            reconciler.turn(now);
        } catch (RuntimeException e) {
            if (!now.isBefore(logAt)) {
                logAt = now.plus(LOG_EVERY);
                log.error("a turn of the pools failed; it will be repeated", e);
            }
        }
    }

    @Override
    public void close() {
        caches.values().forEach(ResourceCache::close);
        closed = true;
        wakeup.release();
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
