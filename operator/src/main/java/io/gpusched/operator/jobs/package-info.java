/// Jobs that were submitted to the scheduler and run as pods: the scheduler chooses the node, and
/// each assignment becomes a pod of its own.
///
///     assignment ─► JobTemplate ─► JobPod ─► created on its node ─► reports from its status
///
/// Read [io.gpusched.operator.jobs.JobHost] first. An attachment is written by users and is never
/// trusted; which node a pod runs on must not be decided here.
@NullMarked
package io.gpusched.operator.jobs;

import org.jspecify.annotations.NullMarked;
