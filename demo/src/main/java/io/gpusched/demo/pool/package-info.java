/// The pool of the demo: a day of chat traffic and simulated replicas that answer it.
///
/// Read [io.gpusched.demo.pool.PoolTraffic] first. The scheduler places the replicas as it places
/// any job, and hears of their load as it hears from a gateway: by REST. Only the requests and the
/// time that a replica takes for them are simulated.
@NullMarked
package io.gpusched.demo.pool;

import org.jspecify.annotations.NullMarked;
