package io.gpusched.core.state;

import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Market;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeSet;

/// Prices of capacity, by the labels of nodes. A node that several markets match has the cheapest
/// of their prices.
public final class NodePrices {
    private static final Comparator<Market> CHEAPEST_FIRST =
            Comparator.comparingLong(Market::microDollarsPerGpuHour)
                    .thenComparing(Market::label)
                    .thenComparing(Market::value);

    private final Map<String, Map<String, Market>> byLabel = new LinkedHashMap<>();
    private final Map<String, Market> all = new LinkedHashMap<>();
    private final TreeSet<Market> sorted = new TreeSet<>(CHEAPEST_FIRST);

    NodePrices() {}

    void put(Market market) {
        Market before = all.put(market.label() + "=" + market.value(), market);
        if (before != null) {
            sorted.remove(before);
        }
        sorted.add(market);
        byLabel.computeIfAbsent(market.label(), label -> new LinkedHashMap<>())
                .put(market.value(), market);
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /// The cheapest market that matches nodes with these labels; null when none does.
    public @Nullable Market of(Labels labels) {
        Market best = null;
        for (var values : byLabel.entrySet()) {
            Market found = values.getValue().get(labels.value(values.getKey()));
            if (found != null && (best == null || CHEAPEST_FIRST.compare(found, best) < 0)) {
                best = found;
            }
        }
        return best;
    }

    /// All markets in the order in which they were first set.
    public List<Market> all() {
        return List.copyOf(all.values());
    }

    public SequencedSet<Market> cheapestFirst() {
        return Collections.unmodifiableSequencedSet(sorted);
    }
}
