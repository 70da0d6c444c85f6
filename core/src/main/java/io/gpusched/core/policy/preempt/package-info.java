/// Preemptors: which running jobs are stopped so that a waiting one can start. They compare base
/// priorities, never aged ones, so that no two jobs can preempt each other in turn. Read
/// [io.gpusched.core.policy.preempt.PriorityPreemptor] first. A preemptor only chooses; the engine
/// stops the victims.
@NullMarked
package io.gpusched.core.policy.preempt;

import org.jspecify.annotations.NullMarked;
