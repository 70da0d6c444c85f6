/// What a cluster consists of, in the words of the agent protocol: nodes, and what others use.
///
/// Read [io.gpusched.operator.cluster.ClusterPicture] first. Everything here is a function of
/// objects that were read elsewhere.
///
/// Requests to an API server must not be made here.
///
///     new NodeDescription(labels).facts(node)
@NullMarked
package io.gpusched.operator.cluster;

import org.jspecify.annotations.NullMarked;
