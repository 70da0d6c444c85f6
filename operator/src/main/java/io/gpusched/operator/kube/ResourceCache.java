package io.gpusched.operator.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/// All objects of one type, kept up to date: a list, then a watch that continues it. A watch that
/// breaks is resumed; one that the server cannot resume (410) is followed by a new list, whose
/// differences are told as if they had been watched.
///
/// Only what the projection returns is kept: tens of thousands of whole pods would fill the memory.
/// An object that the projection cannot read is skipped and counted; its last good state stays.
///
/// @param <T> what is kept of an object
public final class ResourceCache<T> implements AutoCloseable {
    /// What a cache follows.
    ///
    /// @param projection what to keep of an object; null to ignore it. Whatever it throws means
    ///        that the object cannot be read
    public record Followed<T>(ResourceType type, ListQuery query, Projection<T> projection) {}

    /// Makes the kept state of an object.
    @FunctionalInterface
    public interface Projection<T> {
        @Nullable T of(ObjectNode object);
    }

    private record Entry<T>(String uid, String version, T state) {}

    private static final Logger LOG = LoggerFactory.getLogger(ResourceCache.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Duration SHORT_WATCH = Duration.ofSeconds(1);

    private final KubeApi api;
    private final Followed<T> followed;
    private final CacheListener<T> listener;
    private final InstantSource clock;
    private final Backoff backoff =
            new Backoff(FIRST_PAUSE, LONGEST_PAUSE, RandomGenerator.getDefault());
    private final ConcurrentSkipListMap<String, Entry<T>> entries = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListMap<String, String> undecodable = new ConcurrentSkipListMap<>();
    private final CountDownLatch listed = new CountDownLatch(1);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean isFollowing;
    private volatile Instant contact;
    private volatile String failure = "";

    /// Empty while a list is needed.
    private String version = "";

    public ResourceCache(KubeApi api, Followed<T> followed, CacheListener<T> listener) {
        this(api, followed, listener, InstantSource.system());
    }

    ResourceCache(
            KubeApi api, Followed<T> followed, CacheListener<T> listener, InstantSource clock) {
        this.api = api;
        this.followed = followed;
        this.listener = listener;
        this.clock = clock;
        this.contact = clock.instant();
        this.thread =
                Thread.ofVirtual().name("cache-" + followed.type().plural()).unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /// Waits for the first list.
    ///
    /// @return whether it is complete
    public boolean awaitListed(Duration longest) throws InterruptedException {
        return listed.await(longest.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// The kept state of an object; null if there is none.
    public @Nullable T find(String namespace, String name) {
        Entry<T> entry = entries.get(namespace + "/" + name);
        return entry == null ? null : entry.state();
    }

    /// The kept states in the order of namespace and name, while they may change.
    public List<T> all() {
        return entries.values().stream().map(Entry::state).toList();
    }

    public int size() {
        return entries.size();
    }

    /// True while a watch is open that tells every change.
    public boolean isFollowing() {
        return isFollowing;
    }

    /// How long ago the server was heard last.
    public Duration silence() {
        return Duration.between(contact, clock.instant());
    }

    /// Why the objects are not followed; empty if they are.
    public String failure() {
        return failure;
    }

    /// The objects that cannot be read, by namespace and name, with the reason.
    public Map<String, String> undecodable() {
        return Map.copyOf(undecodable);
    }

    private void run() {
        try {
            while (closing.getCount() > 0) {
                follow();
            }
        } catch (RuntimeException e) {
            failed("stopped by a mistake of ours: " + e);
            LOG.error("the cache of {} has stopped", followed.type().plural(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            isFollowing = false;
        }
    }

    private void follow() throws InterruptedException {
        Instant began = clock.instant();
        try {
            if (version.isEmpty()) {
                list();
            }
            began = clock.instant();
            api.watch(followed.type(), followed.query(), version, new Changes());
            isFollowing = false;
            if (Duration.between(began, clock.instant()).compareTo(SHORT_WATCH) < 0) {
                pause();
            }
        } catch (KubeException e) {
            isFollowing = false;
            if (closing.getCount() == 0) {
                return;
            }
            if (e.isGone()) {
                LOG.info("{}: listed again: {}", followed.type().plural(), e.getMessage());
                version = "";
            } else {
                failed(String.valueOf(e.getMessage()));
            }
            pause();
        }
    }

    private void pause() throws InterruptedException {
        boolean _ = closing.await(backoff.next().toMillis(), TimeUnit.MILLISECONDS);
    }

    private void failed(String why) {
        isFollowing = false;
        if (!why.equals(failure)) {
            LOG.warn("{} are not followed: {}", followed.type().plural(), why);
        }
        failure = why;
    }

    private void heard() {
        contact = clock.instant();
        backoff.reset();
    }

    private final class Changes implements WatchListener {
        @Override
        public void opened() {
            contact = clock.instant();
            failure = "";
            isFollowing = true;
        }

        @Override
        public boolean changed(String type, ObjectNode object) {
            heard();
            switch (type) {
                case "ADDED", "MODIFIED" -> put(object);
                case "DELETED" -> remove(key(object));
                default -> {}
            }
            version = text(object, "resourceVersion");
            return closing.getCount() > 0;
        }
    }

    private void list() {
        Map<String, Entry<T>> fresh = new HashMap<>();
        undecodable.clear();
        String newest =
                api.list(
                        followed.type(),
                        followed.query(),
                        object -> {
                            Entry<T> entry = entry(object);
                            if (entry != null) {
                                fresh.put(key(object), entry);
                            }
                        });
        heard();
        for (String key : List.copyOf(entries.keySet())) {
            if (!fresh.containsKey(key)) {
                remove(key);
            }
        }
        fresh.forEach(this::put);
        version = newest;
        if (listed.getCount() > 0) {
            LOG.info("{} {} listed", fresh.size(), followed.type().plural());
            listener.listed();
            listed.countDown();
        }
    }

    private void put(ObjectNode object) {
        Entry<T> entry = entry(object);
        String key = key(object);
        if (entry == null) {
            if (!undecodable.containsKey(key)) {
                remove(key);
            }
        } else {
            put(key, entry);
        }
    }

    private void put(String key, Entry<T> entry) {
        Entry<T> before = entries.put(key, entry);
        if (before == null) {
            listener.added(entry.state());
        } else if (!before.uid().equals(entry.uid())) {
            listener.deleted(before.state());
            listener.added(entry.state());
        } else if (!before.version().equals(entry.version())) {
            listener.modified(before.state(), entry.state());
        }
    }

    private void remove(String key) {
        undecodable.remove(key);
        Entry<T> before = entries.remove(key);
        if (before != null) {
            listener.deleted(before.state());
        }
    }

    /// The new entry of an object; the last good one if it cannot be read, null if there is none or
    /// the object is ignored. An object that has not changed keeps its entry.
    private @Nullable Entry<T> entry(ObjectNode object) {
        String key = key(object);
        Entry<T> known = entries.get(key);
        String uid = text(object, "uid");
        String newest = text(object, "resourceVersion");
        if (known != null && known.uid().equals(uid) && known.version().equals(newest)) {
            return known;
        }
        try {
            T state = followed.projection().of(object);
            undecodable.remove(key);
            return state == null ? null : new Entry<>(uid, newest, state);
        } catch (RuntimeException e) {
            if (undecodable.put(key, String.valueOf(e.getMessage())) == null) {
                LOG.warn(
                        "{} {} is ignored, it cannot be read: {}",
                        followed.type().kind(),
                        key,
                        e.getMessage());
            }
            return known;
        }
    }

    private static String key(ObjectNode object) {
        return text(object, "namespace") + "/" + text(object, "name");
    }

    private static String text(ObjectNode object, String field) {
        return object.path("metadata").path(field).asText("");
    }

    /// Ends the watch without waiting for the server.
    @Override
    public void close() {
        closing.countDown();
        thread.interrupt();
    }
}
