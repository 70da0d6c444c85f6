/// Scorers: which of the possible nodes is best. 0 is best, 1 is worst, all candidates at once.
/// Read [io.gpusched.core.policy.score.BestFit] first. A scorer must not refuse a node; that is a
/// filter's task.
@NullMarked
package io.gpusched.core.policy.score;

import org.jspecify.annotations.NullMarked;
