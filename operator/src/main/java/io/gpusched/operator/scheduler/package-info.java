/// Our scheduler as the operator sees it by REST: it submits and cancels jobs, asks why they wait,
/// and makes tenants. Assignments come by the agent protocol, not from here.
///
/// Read [io.gpusched.operator.scheduler.SchedulerRequests] first. What a job stands for must not be
/// known here.
///
///     scheduler.submit(pod.uid(), body)
@NullMarked
package io.gpusched.operator.scheduler;

import org.jspecify.annotations.NullMarked;
