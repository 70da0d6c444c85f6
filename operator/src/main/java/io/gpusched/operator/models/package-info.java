/// Model caches of a cluster's nodes. The scheduler decides which node holds which model; here its
/// orders become pods that load a model into a volume of the node, or remove it.
///
/// Read [io.gpusched.operator.models.ClusterModels] first.
///
/// Which model should be where must not be decided here.
///
///     order: node-1 loads team-a.llama  →  pod on node-1  →  annotation of node-1, report
@NullMarked
package io.gpusched.operator.models;

import org.jspecify.annotations.NullMarked;
