/// Scorers: which of the possible nodes is best. 0 is best, 1 is worst, all candidates at once.
/// Read [io.gpusched.core.policy.score.BestFit] first.
@NullMarked
package io.gpusched.core.policy.score;

import org.jspecify.annotations.NullMarked;
