package io.gpusched.server.view;

import io.gpusched.core.model.NodeId;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.state.CachedModel;

import java.util.Map;

/// A model that pools serve, in a view.
///
/// @param nodes the nodes that hold it, load it or should hold it
public record ModelRow(ModelSpec model, Map<NodeId, CachedModel> nodes) {}
