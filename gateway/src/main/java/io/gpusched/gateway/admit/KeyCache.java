package io.gpusched.gateway.admit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// The owners of keys, as the scheduler named them a short time ago.
///
/// An owner is asked for again before it expires, so that a key in use never waits for the
/// scheduler. While the scheduler cannot be reached, owners that were known stay known for an hour.
public final class KeyCache {
    private static final Logger LOG = LoggerFactory.getLogger(KeyCache.class);
    private static final Duration REFRESH_AFTER = Duration.ofSeconds(20);
    private static final Duration EXPIRE_AFTER = Duration.ofSeconds(30);
    private static final Duration DENIED_FOR = Duration.ofSeconds(5);
    private static final Duration KEEP_UNREACHABLE = Duration.ofHours(1);
    private static final int MOST_KEYS = 10_000;
    private static final int MOST_QUESTIONS = 256;

    private record Entry(KeyOwner owner, long askedAt) {}

    private final BiConsumer<String, Consumer<KeyOwner>> scheduler;
    private final LongSupplier clock;
    private final LinkedHashMap<String, Entry> entries = new LinkedHashMap<>();
    private final Map<String, List<Consumer<KeyOwner>>> asking = new HashMap<>();

    /// @param scheduler asks for the owner of a key, and passes the answer on the thread of the
    ///        loop
    /// @param clock the time of the loop, in nanoseconds
    public KeyCache(BiConsumer<String, Consumer<KeyOwner>> scheduler, LongSupplier clock) {
        this.scheduler = scheduler;
        this.clock = clock;
    }

    /// Passes the owner of the key on, at once if it is known.
    ///
    /// @param key empty for a request without a key
    public void find(String key, Consumer<KeyOwner> then) {
        Entry entry = entries.get(key);
        if (entry == null || isOlder(entry, lifetime(entry))) {
            ask(key, then);
            return;
        }
        if (entry.owner instanceof KeyOwner.Known && isOlder(entry, REFRESH_AFTER)) {
            ask(key, _ -> {});
        }
        then.accept(entry.owner);
    }

    private static Duration lifetime(Entry entry) {
        return entry.owner instanceof KeyOwner.Known ? EXPIRE_AFTER : DENIED_FOR;
    }

    private boolean isOlder(Entry entry, Duration age) {
        return clock.getAsLong() - entry.askedAt > age.toNanos();
    }

    private void ask(String key, Consumer<KeyOwner> then) {
        List<Consumer<KeyOwner>> waiting = asking.get(key);
        if (waiting != null) {
            waiting.add(then);
        } else if (asking.size() >= MOST_QUESTIONS) {
            then.accept(new KeyOwner.Unreachable());
        } else {
            var first = new ArrayList<Consumer<KeyOwner>>();
            first.add(then);
            asking.put(key, first);
            scheduler.accept(key, owner -> answered(key, owner));
        }
    }

    private void answered(String key, KeyOwner answer) {
        KeyOwner owner = answer;
        Entry known = entries.get(key);
        if (!(answer instanceof KeyOwner.Unreachable)) {
            remember(key, answer);
        } else if (known != null
                && known.owner instanceof KeyOwner.Known
                && !isOlder(known, KEEP_UNREACHABLE)) {
            owner = known.owner;
        }
        for (Consumer<KeyOwner> each : forget(key)) {
            try {
                each.accept(owner);
            } catch (RuntimeException e) {
                LOG.error("a defect in the gateway; others that wait for the key go on", e);
            }
        }
    }

    private List<Consumer<KeyOwner>> forget(String key) {
        List<Consumer<KeyOwner>> waiting = asking.remove(key);
        return waiting == null ? List.of() : waiting;
    }

    private void remember(String key, KeyOwner owner) {
        entries.remove(key);
        if (entries.size() >= MOST_KEYS) {
            String oldest = entries.keySet().iterator().next();
            entries.remove(oldest);
        }
        entries.put(key, new Entry(owner, clock.getAsLong()));
    }
}
