package io.gpusched.core.policy;

import java.util.ArrayList;
import java.util.List;

/// A scheduling policy: one rule for each of the seven decisions. It is an immutable value; to try
/// another policy, make another one.
///
/// @param breadth how many nodes are scored for a task, or one of each kind where there are more
///        kinds; [#EVERY_NODE] for all that could run it
public record Policy(
        String name,
        QueueOrder order,
        List<Gate> gates,
        List<Filter> filters,
        Fitter fitter,
        List<WeightedScorer> scorers,
        Preemptor preemptor,
        Scaler scaler,
        Backfill backfill,
        int breadth) {
    public static final int EVERY_NODE = Integer.MAX_VALUE;

    public Policy {
        gates = List.copyOf(gates);
        filters = List.copyOf(filters);
        scorers = List.copyOf(scorers);
    }

    /// Whether jobs that differ only in how long they may run may get different answers.
    public boolean goesByLength() {
        return backfill == Backfill.RESERVE
                || backfill == Backfill.CONSERVATIVE
                || gates.stream().anyMatch(Gate::goesByLength);
    }

    /// The same with one more gate, applied last.
    public Policy with(Gate gate) {
        return with(name, gate);
    }

    /// The same under another name and with one more gate, applied last.
    public Policy with(String otherName, Gate gate) {
        var more = new ArrayList<>(gates);
        more.add(gate);
        return new Policy(
                otherName, order, more, filters, fitter, scorers, preemptor, scaler, backfill,
                breadth);
    }
}
