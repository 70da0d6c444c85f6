/// The program that runs jobs on one machine for a scheduler.
///
/// Read [io.gpusched.agent.NodeAgent] first. It holds a session with the scheduler
/// ([io.gpusched.agent.SchedulerConnection]), takes what the scheduler wants, lets a
/// [io.gpusched.agent.task.TaskHost] make it true, and tells what is. GPUs are read through
/// [io.gpusched.agent.GpuProbe].
///
/// Nothing here decides anything: an agent without orders starts nothing and stops nothing.
///
///     bin/agent --server scheduler.example:9090 --fake-gpus 8xA100-80GB
@NullMarked
package io.gpusched.agent;

import org.jspecify.annotations.NullMarked;
