/// The model cache of a node: a directory into which the agent loads models ahead of need.
///
/// Read [LocalModels] first. What is loaded and what is removed is decided by the scheduler;
/// nothing here chooses.
@NullMarked
package io.gpusched.agent.model;

import org.jspecify.annotations.NullMarked;
