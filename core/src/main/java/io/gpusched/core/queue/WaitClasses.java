package io.gpusched.core.queue;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Role;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/// All classes of waiting jobs, by key and by slot.
///
/// Slots are small numbers, reused when their class is dropped: other arrays are indexed by them.
final class WaitClasses {
    /// How many classes without jobs are kept at least.
    private static final int MOST_EMPTY = 4096;

    /// How many classes are cached by a cheap hash instead of a look-up by the whole key, and how
    /// many entries each hash has.
    private static final int RECENT = 8192;

    private static final int WAYS = 4;

    private final QueueLinks queueLinks;
    private final Map<WaitClass.Key, WaitClass> byKey = new LinkedHashMap<>();
    private @Nullable WaitClass[] bySlot = new @Nullable WaitClass[16];
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private int slots;
    private final int[] guesses = new int[RECENT];
    private final @Nullable WaitClass[] recent = new @Nullable WaitClass[RECENT];
    private int empty;
    private boolean byLength = true;

    WaitClasses(QueueLinks queueLinks) {
        this.queueLinks = queueLinks;
    }

    /// Whether it matters from now on how long jobs run. Only while no class has jobs.
    void byLength(boolean wanted) {
        if (wanted != byLength) {
            byLength = wanted;
            forgetEmpty();
        }
    }

    /// How many classes have jobs.
    int occupied() {
        return byKey.size() - empty;
    }

    Collection<WaitClass> all() {
        return byKey.values();
    }

    List<WaitClass> lookingAtLabels() {
        return those(one -> one.looksAtLabels);
    }

    List<WaitClass> ofReplicas() {
        return those(one -> !one.key.pool().isEmpty());
    }

    private List<WaitClass> those(Predicate<WaitClass> wanted) {
        var some = new ArrayList<WaitClass>();
        for (WaitClass one : byKey.values()) {
            if (wanted.test(one)) {
                some.add(one);
            }
        }
        return some;
    }

    List<WaitClass> copy() {
        return new ArrayList<>(byKey.values());
    }

    WaitClass at(int slot) {
        return Objects.requireNonNull(bySlot[slot]);
    }

    /// The class the job belongs in, created if necessary.
    WaitClass of(Job job) {
        int guess = guess(job);
        for (int way = 0; way < WAYS; way++) {
            int place = (guess + way) & (RECENT - 1);
            if (guesses[place] == guess) {
                WaitClass known = recent[place];
                if (known != null && known.holds(job)) {
                    return known;
                }
            }
        }
        WaitClass one = byKey.computeIfAbsent(WaitClass.Key.of(job, byLength), this::open);
        remember(guess, one);
        return one;
    }

    /// The class has a job again.
    void entered() {
        empty--;
    }

    /// The class has no jobs left. It is kept for a while, because an equal job may arrive soon.
    void emptied() {
        empty++;
        if (empty > Math.max(MOST_EMPTY, byKey.size() / 2)) {
            forgetEmpty();
        }
    }

    private WaitClass open(WaitClass.Key key) {
        Integer used = free.pollFirst();
        int slot = used == null ? slots++ : used;
        if (slot == bySlot.length) {
            bySlot = Arrays.copyOf(bySlot, slot * 2);
        }
        var one = new WaitClass(key, slot, queueLinks);
        bySlot[slot] = one;
        empty++;
        return one;
    }

    private void forgetEmpty() {
        byKey.values().removeIf(one -> one.live == 0);
        for (int slot = 0; slot < slots; slot++) {
            WaitClass one = bySlot[slot];
            if (one != null && one.live == 0) {
                bySlot[slot] = null;
                free.addLast(slot);
            }
        }
        Arrays.fill(recent, null);
        empty = 0;
    }

    /// A cheap hash in which classes mostly differ.
    private static int guess(Job job) {
        var spec = job.spec();
        Role first = spec.roles().getFirst();
        String tenant = spec.tenant().name();
        int mixed = job.priority() * 31 + tenant.length();
        mixed = mixed * 127 + tenant.charAt(tenant.length() - 1);
        mixed = mixed * 31 + first.shape().gpus().devices();
        mixed = (mixed * 31 + first.min()) * 0x9E3779B1;
        return mixed ^ (mixed >>> 16);
    }

    private void remember(int guess, WaitClass one) {
        int place = (guess + (one.slot & (WAYS - 1))) & (RECENT - 1);
        for (int way = 0; way < WAYS; way++) {
            int other = (guess + way) & (RECENT - 1);
            if (recent[other] == null) {
                place = other;
                break;
            }
        }
        guesses[place] = guess;
        recent[place] = one;
    }
}
