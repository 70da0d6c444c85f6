package io.gpusched.operator.models;

import io.gpusched.wire.proto.agent.ModelOrder;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which loader a node needs next: removals first, then loads in the order of the orders, one at a
/// time. A model that could not be loaded is tried again after 10 s, then 20 s, up to 10 minutes.
final class ModelOrders {
    private static final Duration FIRST_RETRY = Duration.ofSeconds(10);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(10);

    /// @param retryAt before which it is not tried again
    record Failure(String problem, int count, Instant retryAt) {}

    /// A loader that is to be started.
    record Next(Loader loader, ModelOrder order) {}

    private final Map<String, List<ModelOrder>> orders = new LinkedHashMap<>();
    private final Set<String> told = new HashSet<>();
    private final Map<Loader, Failure> failures = new HashMap<>();

    /// Replaces all earlier orders of the node. What is no longer ordered has not failed.
    ///
    /// @return whether they differ
    boolean follow(String node, List<ModelOrder> now) {
        told.add(node);
        boolean differ = !orders.getOrDefault(node, List.of()).equals(now);
        if (now.isEmpty()) {
            orders.remove(node);
        } else {
            orders.put(node, List.copyOf(now));
        }
        Set<String> ordered = new HashSet<>();
        now.forEach(order -> ordered.add(order.getModel()));
        failures.keySet()
                .removeIf(each -> each.node().equals(node) && !ordered.contains(each.model()));
        return differ;
    }

    Set<String> nodes() {
        return Set.copyOf(orders.keySet());
    }

    /// Whether the scheduler has told what the node should do, and this is not part of it. Before
    /// that, a loader of an earlier operator may be just what it will order.
    boolean isUnwanted(Loader loader) {
        if (!told.contains(loader.node())) {
            return false;
        }
        for (ModelOrder order : orders.getOrDefault(loader.node(), List.of())) {
            if (order.getModel().equals(loader.model()) && order.getRemove() == loader.remove()) {
                return false;
            }
        }
        return true;
    }

    /// The loader that the node needs next; null where it needs none now.
    @Nullable Next next(NodeCache cache, Instant now) {
        List<Next> found = new ArrayList<>();
        for (ModelOrder order : orders.getOrDefault(cache.node(), List.of())) {
            boolean there = cache.models().containsKey(order.getModel());
            var loader = new Loader(cache.node(), order.getModel(), order.getRemove());
            Failure failure = failures.get(loader);
            boolean waits = failure != null && now.isBefore(failure.retryAt());
            if (order.getRemove() == there && !waits) {
                found.add(new Next(loader, order));
            }
        }
        for (Next each : found) {
            if (each.loader().remove()) {
                return each;
            }
        }
        return found.isEmpty() ? null : found.getFirst();
    }

    void failed(Loader loader, String problem, Instant now) {
        Failure before = failures.get(loader);
        int count = before == null ? 1 : before.count() + 1;
        Duration pause = FIRST_RETRY.multipliedBy(1L << Math.min(count - 1, 6));
        Duration limited = pause.compareTo(LONGEST_RETRY) < 0 ? pause : LONGEST_RETRY;
        failures.put(loader, new Failure(problem, count, now.plus(limited)));
    }

    void succeeded(Loader loader) {
        failures.remove(loader);
    }

    /// What could not be loaded on the node, by model.
    Map<String, String> problems(String node) {
        var found = new LinkedHashMap<String, String>();
        failures.forEach(
                (loader, failure) -> {
                    if (loader.node().equals(node) && !loader.remove()) {
                        found.put(loader.model(), failure.problem());
                    }
                });
        return found;
    }
}
