package io.gpusched.server.view;

import io.gpusched.core.pool.AgentClass;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.QueueBinding;
import io.gpusched.core.state.ModelLedger;

import java.util.Map;

/// Pools and what belongs to them, in a view.
///
/// @param models by name
/// @param classes by name
/// @param bindings by name
/// @param use how often jobs found on their nodes what they load and read
public record PoolsView(
        PersistentMap<PoolId, PoolRow> rows,
        Map<String, ModelRow> models,
        Map<String, AgentClass> classes,
        Map<String, QueueBinding> bindings,
        ModelLedger.Use use) {}
