package io.gpusched.core.policy;

import java.util.List;

/// Rules that others wrote: filters are asked after the built-in ones, scorers are heard beside
/// those of the placer, orders can be chosen by their name. Whoever loads them also says which.
public record Plugins(List<Filter> filters, List<WeightedScorer> scorers, List<QueueOrder> orders) {
    public static final Plugins NONE = new Plugins(List.of(), List.of(), List.of());

    public Plugins {
        filters = List.copyOf(filters);
        scorers = List.copyOf(scorers);
        orders = List.copyOf(orders);
    }
}
