package io.gpusched.gateway.proxy;

import io.gpusched.gateway.pool.ServedPool;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// Requests that wait for a replica, of each pool in the order in which they came.
final class HeldRequests {
    private final Map<ServedPool, LinkedHashSet<Forwarding>> waiting = new HashMap<>();

    void add(Forwarding forwarding, long now) {
        // A request that waits a second time keeps the time that it has waited already.
        forwarding.heldSince = forwarding.heldSince == 0 ? now : forwarding.heldSince;
        forwarding.held = true;
        waiting.computeIfAbsent(forwarding.pool, _ -> new LinkedHashSet<>()).add(forwarding);
        forwarding.pool.hold(1, forwarding.promptTokens);
    }

    void remove(Forwarding forwarding) {
        LinkedHashSet<Forwarding> of = waiting.get(forwarding.pool);
        if (forwarding.held && of != null && of.remove(forwarding)) {
            forwarding.held = false;
            forwarding.pool.hold(-1, -forwarding.promptTokens);
            if (of.isEmpty()) {
                waiting.remove(forwarding.pool);
            }
        }
    }

    @Nullable Forwarding first(ServedPool pool) {
        LinkedHashSet<Forwarding> of = waiting.get(pool);
        return of == null ? null : of.getFirst();
    }

    List<ServedPool> pools() {
        return new ArrayList<>(waiting.keySet());
    }

    List<Forwarding> heldLongerThan(Duration most, long now) {
        var late = new ArrayList<Forwarding>();
        for (LinkedHashSet<Forwarding> of : waiting.values()) {
            for (Forwarding each : of) {
                if (now - each.heldSince > most.toNanos()) {
                    late.add(each);
                }
            }
        }
        return late;
    }
}
