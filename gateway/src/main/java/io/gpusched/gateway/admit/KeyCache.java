package io.gpusched.gateway.admit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// The owners of keys, as the scheduler named them a short time ago.
///
/// Only a key that is not known waits for the scheduler. The owner of a known key is asked for
/// again in the background, so neither a slow scheduler nor one that is away delays a request. The
/// price: a key that was taken back, and then rests for less than an hour, is good until the answer
/// to that question has come.
///
/// Keys that the scheduler denied are kept apart, and few questions about keys that are not known
/// are under way at a time, so that invented keys push no good one out.
public final class KeyCache {
    private static final Logger LOG = LoggerFactory.getLogger(KeyCache.class);
    private static final Duration ASK_AGAIN_AFTER = Duration.ofSeconds(20);
    private static final Duration REPEAT_AFTER = Duration.ofSeconds(2);
    private static final Duration KNOWN_FOR = Duration.ofHours(1);
    private static final Duration DENIED_FOR = Duration.ofSeconds(5);
    private static final int MOST_KNOWN = 10_000;
    private static final int MOST_DENIED = 1_000;
    private static final int MOST_QUESTIONS = 256;
    private static final int MOST_NEW_QUESTIONS = 192;

    /// Tokens of the scheduler are much shorter.
    private static final int MOST_CHARACTERS = 4_096;

    private static final class Entry {
        private final KeyOwner.Known owner;
        private final long namedAt;
        private long askAgainAt;

        Entry(KeyOwner.Known owner, long now) {
            this.owner = owner;
            namedAt = now;
            askAgainAt = now + ASK_AGAIN_AFTER.toNanos();
        }
    }

    private final BiConsumer<String, Consumer<KeyOwner>> scheduler;
    private final LongSupplier clock;

    /// Both in the order in which the scheduler answered.
    private final LinkedHashMap<String, Entry> known = new LinkedHashMap<>();

    private final LinkedHashMap<String, Long> deniedAt = new LinkedHashMap<>();

    /// What waits for each question; nothing for those in the background.
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
        long now = clock.getAsLong();
        Entry entry = known.get(key);
        if (entry != null && now - entry.namedAt <= KNOWN_FOR.toNanos()) {
            askAgain(key, entry, now);
            then.accept(entry.owner);
        } else if (isDenied(key, now)) {
            then.accept(new KeyOwner.Unknown());
        } else {
            await(key, then);
        }
    }

    private boolean isDenied(String key, long now) {
        Long at = deniedAt.get(key);
        return key.length() > MOST_CHARACTERS || at != null && now - at <= DENIED_FOR.toNanos();
    }

    private void askAgain(String key, Entry entry, long now) {
        if (now - entry.askAgainAt >= 0 && asking.size() < MOST_QUESTIONS) {
            entry.askAgainAt = now + REPEAT_AFTER.toNanos();
            if (!asking.containsKey(key)) {
                ask(key, new ArrayList<>());
            }
        }
    }

    private void await(String key, Consumer<KeyOwner> then) {
        List<Consumer<KeyOwner>> waiting = asking.get(key);
        if (waiting == null && asking.size() >= MOST_NEW_QUESTIONS) {
            then.accept(new KeyOwner.Unreachable());
        } else if (waiting == null) {
            ask(key, new ArrayList<>(List.of(then)));
        } else {
            waiting.add(then);
        }
    }

    private void ask(String key, List<Consumer<KeyOwner>> waiting) {
        asking.put(key, waiting);
        scheduler.accept(key, owner -> answered(key, owner));
    }

    private void answered(String key, KeyOwner answer) {
        long now = clock.getAsLong();
        switch (answer) {
            case KeyOwner.Known owner -> {
                deniedAt.remove(key);
                keep(known, MOST_KNOWN, key, new Entry(owner, now));
            }
            case KeyOwner.Unknown _ -> {
                known.remove(key);
                keep(deniedAt, MOST_DENIED, key, now);
            }
            case KeyOwner.Unreachable _ -> {}
        }
        List<Consumer<KeyOwner>> waiting = asking.remove(key);
        for (Consumer<KeyOwner> each : waiting == null ? List.<Consumer<KeyOwner>>of() : waiting) {
            try {
                each.accept(answer);
            } catch (RuntimeException e) {
                LOG.error("a defect in the gateway; others that wait for the key go on", e);
            }
        }
    }

    /// Adds an entry as the newest, and drops the oldest if there are too many.
    private static <T> void keep(SequencedMap<String, T> entries, int most, String key, T value) {
        entries.remove(key);
        if (entries.size() >= most) {
            entries.pollFirstEntry();
        }
        entries.put(key, value);
    }
}
