package io.gpusched.core.policy;

import java.util.List;

/// A placement strategy: which GPUs inside a node, which node, and how many nodes are scored.
///
/// @param breadth how many nodes are scored for a task, or one of each kind where there are more
///        kinds; [Policy#EVERY_NODE] for all
public record PlacementStrategy(
        String name, Fitter fitter, List<WeightedScorer> scorers, int breadth) {
    public PlacementStrategy {
        scorers = List.copyOf(scorers);
    }
}
