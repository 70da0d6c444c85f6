package io.gpusched.core.policy;

import java.util.List;

/// A whole way to schedule: one rule for each of the seven questions. It is a value; to try another
/// way, make another one.
public record Policy(
        String name,
        QueueOrder order,
        List<Gate> gates,
        List<Filter> filters,
        Fitter fitter,
        List<Weighted> scorers,
        Preemptor preemptor,
        Scaler scaler,
        Backfill backfill) {
    public Policy {
        gates = List.copyOf(gates);
        filters = List.copyOf(filters);
        scorers = List.copyOf(scorers);
    }
}
