/// The agent: runs jobs on one machine for a scheduler.
///
/// Read [io.gpusched.agent.NodeAgent] first. It keeps a session with the scheduler
/// ([io.gpusched.agent.SchedulerConnection]), receives assignments
/// ([io.gpusched.agent.DesiredState]), lets a [io.gpusched.agent.task.TaskHost] carry them out, and
/// reports the state of the tasks. GPUs are read through [io.gpusched.agent.GpuProbe].
///
/// Scheduling decisions must not be made here: an agent without assignments starts nothing and
/// stops nothing.
///
///     bin/agent --server scheduler.example:9090 --fake-gpus 8xA100-80GB
@NullMarked
package io.gpusched.agent;

import org.jspecify.annotations.NullMarked;
