package io.gpusched.server.view;

import io.gpusched.core.model.NodeId;
import io.gpusched.core.pool.CacheState;
import io.gpusched.core.pool.ModelSpec;

import java.util.Map;

/// A model that pools serve, in a view.
///
/// @param nodes the nodes that hold or load it
public record ModelRow(ModelSpec model, Map<NodeId, CacheState> nodes) {}
