/// Tasks as processes of this machine.
///
/// Read [ProcessHost] first: it makes the wanted tasks of a node true and says what is. Each task
/// is a directory ([TaskDirectory]) and a shell script that guards it (`shim.sh`, whose head lists
/// the files of the directory), so that a task, its time limit and its fencing lease outlive the
/// agent, and a restarted agent finds everything again on disk.
///
/// Nothing here may know the network: orders come in and reports go out as values.
@NullMarked
package io.gpusched.agent.task;

import org.jspecify.annotations.NullMarked;
