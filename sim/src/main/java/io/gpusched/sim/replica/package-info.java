/// Replicas of a model that answer requests in simulated time: iterations with chunked prompts, a
/// router, load times, and what the replicas cost.
///
/// Read [SimulatedReplica] first, then [ReplicaWorld]. Nothing here decides how many replicas there
/// are.
@NullMarked
package io.gpusched.sim.replica;

import org.jspecify.annotations.NullMarked;
