package io.gpusched.core.policy;

import io.gpusched.core.scale.Scaler;
import io.gpusched.core.scale.Scalers;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Rules from plug-ins: filters run after the built-in ones, scorers count beside those of the
/// placement strategy, orders and the laws of pools can be chosen by their name.
public record Plugins(
        List<Filter> filters,
        List<WeightedScorer> scorers,
        List<QueueOrder> orders,
        List<Scaler> scalers) {
    public static final Plugins NONE = new Plugins(List.of(), List.of(), List.of(), List.of());

    public Plugins {
        filters = List.copyOf(filters);
        scorers = List.copyOf(scorers);
        orders = List.copyOf(orders);
        scalers = List.copyOf(scalers);
    }

    /// The law of that name, built in or from a plug-in; null when there is none.
    public @Nullable Scaler law(String name) {
        for (Scaler scaler : scalers) {
            if (scaler.name().equals(name)) {
                return scaler;
            }
        }
        return Scalers.named(name);
    }

    /// The names of all laws, for messages.
    public List<String> laws() {
        var names = new ArrayList<>(Scalers.names());
        scalers.forEach(scaler -> names.add(scaler.name()));
        return names;
    }
}
