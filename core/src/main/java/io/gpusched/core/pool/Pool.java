package io.gpusched.core.pool;

import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.TenantId;

/// Replicas of one service. Each replica is a job that asks for what `replica` says. The engine
/// checks a pool when it is put: a journal holds only pools that passed.
///
/// @param model the model that every replica loads; empty where none is named
/// @param replica what one replica asks for; its name and its pool are filled in per replica
/// @param min the fewest replicas; 0 allows the pool to stop all of them
/// @param warmPercent replicas kept ready beyond what the load needs, in percent of `max`
public record Pool(
        PoolId id,
        String model,
        JobSpec replica,
        int min,
        int max,
        int warmPercent,
        Slo slo,
        ScalingRules scaling,
        CostRules cost,
        CarbonRules carbon,
        LocalityRules locality,
        ServingRules serving) {
    public TenantId tenant() {
        return replica.tenant();
    }

    /// How many replicas are kept ready beyond what the load needs.
    public int warm() {
        return (int) ((long) max * warmPercent / 100);
    }
}
