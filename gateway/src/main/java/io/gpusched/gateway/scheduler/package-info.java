/// The gateway's side of the scheduler's REST API: which pools there are, whose key it is, and the
/// load that was measured.
///
/// Read [io.gpusched.gateway.scheduler.SchedulerClient] first. While the scheduler cannot be
/// reached, the gateway serves with what it knew last.
@NullMarked
package io.gpusched.gateway.scheduler;

import org.jspecify.annotations.NullMarked;
