package io.gpusched.sim.scenario;

import io.gpusched.core.model.Market;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.RegionForecast;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// An action of a user or administrator, at a time after the start of the scenario. Actions refer
/// to jobs by the names in the scenario, because job numbers are not known before submission.
public sealed interface UserAction {
    Duration at();

    record Cancel(Duration at, String job) implements UserAction {}

    record Hold(Duration at, String job) implements UserAction {}

    record Release(Duration at, String job) implements UserAction {}

    record Reprioritise(Duration at, String job, int priority) implements UserAction {}

    record Cordon(Duration at, NodeId node) implements UserAction {}

    record Uncordon(Duration at, NodeId node) implements UserAction {}

    record Drain(Duration at, NodeId node, boolean evict) implements UserAction {}

    /// Changes the limits or settings of a tenant.
    record ChangeTenant(Duration at, Tenant tenant) implements UserAction {}

    /// Changes the policy.
    record SetPolicy(Duration at, String policy) implements UserAction {}

    /// Creates or changes a pool.
    record PutPool(Duration at, Pool pool) implements UserAction {}

    /// Holds a pool at a size.
    ///
    /// @param replicas null to let its rules decide
    record ScalePool(Duration at, PoolId pool, @Nullable Integer replicas) implements UserAction {}

    /// Declares or changes a model.
    record PutModel(Duration at, ModelSpec model) implements UserAction {}

    record RemoveModel(Duration at, String model) implements UserAction {}

    record RemovePool(Duration at, PoolId pool) implements UserAction {}

    /// A gateway reports the load of a pool: replicas that run are ready.
    ///
    /// @param held requests that wait for a replica
    /// @param sessions sessions that are active
    record ReportLoad(Duration at, PoolId pool, int held, int sessions) implements UserAction {}

    /// Changes the prices of capacity.
    record SetMarket(Duration at, Market market) implements UserAction {}

    /// Gives a region a forecast of the carbon intensity of its power, from now on.
    record PutForecast(Duration at, RegionForecast forecast) implements UserAction {}

    record RemoveForecast(Duration at, String region) implements UserAction {}
}
