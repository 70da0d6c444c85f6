package io.gpusched.core.policy;

import java.util.List;

/// Rules from plug-ins: filters run after the built-in ones, scorers count beside those of the
/// placement strategy, orders can be chosen by their name.
public record Plugins(List<Filter> filters, List<WeightedScorer> scorers, List<QueueOrder> orders) {
    public static final Plugins NONE = new Plugins(List.of(), List.of(), List.of());

    public Plugins {
        filters = List.copyOf(filters);
        scorers = List.copyOf(scorers);
        orders = List.copyOf(orders);
    }
}
