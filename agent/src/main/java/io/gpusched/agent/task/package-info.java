/// Tasks as processes of this machine.
///
/// Read [ProcessHost] first: it starts and stops the tasks of a node as assigned, and reports their
/// state. Each task is a directory ([TaskDirectory]) and a shell script that guards it (`shim.sh`,
/// whose head lists the files of the directory). So a task, its time limit and its lease outlive
/// the agent, and a restarted agent finds everything again on disk.
///
/// Nothing here may use the network: orders come in and reports go out as values.
@NullMarked
package io.gpusched.agent.task;

import org.jspecify.annotations.NullMarked;
