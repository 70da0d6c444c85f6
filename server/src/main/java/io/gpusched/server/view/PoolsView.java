package io.gpusched.server.view;

import io.gpusched.core.model.RegionForecast;
import io.gpusched.core.pool.AgentClass;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.QueueBinding;
import io.gpusched.core.state.ModelLedger;

import java.util.List;
import java.util.Map;

/// Pools, and what they are decided by, in a view.
///
/// @param models by name
/// @param classes by name
/// @param bindings by name
/// @param use how often jobs found on their nodes what they load and read
/// @param forecasts of the carbon intensity of power, by region
public record PoolsView(
        PersistentMap<PoolId, PoolRow> rows,
        Map<String, ModelRow> models,
        Map<String, AgentClass> classes,
        Map<String, QueueBinding> bindings,
        ModelLedger.Use use,
        List<RegionForecast> forecasts) {}
