/// Preemptors: whose work is stopped to make room, if anybody's. They compare base priorities,
/// never aged ones, so that no two jobs can push each other out in turn. Read
/// [io.gpusched.core.policy.preempt.LowestFirst] first.
@NullMarked
package io.gpusched.core.policy.preempt;

import org.jspecify.annotations.NullMarked;
