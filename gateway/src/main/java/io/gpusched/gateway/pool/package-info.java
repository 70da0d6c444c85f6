/// The pools and replicas that the gateway serves, and which replica takes a request.
///
/// Read [io.gpusched.gateway.pool.ServedPool] and [io.gpusched.gateway.pool.ReplicaChooser] first.
/// All state belongs to the thread of the loop. No socket and no JSON belongs here.
@NullMarked
package io.gpusched.gateway.pool;

import org.jspecify.annotations.NullMarked;
