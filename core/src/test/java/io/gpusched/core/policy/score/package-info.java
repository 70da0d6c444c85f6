/// Tests of the scorers, through a whole engine: they check where tasks are placed.
@NullMarked
package io.gpusched.core.policy.score;

import org.jspecify.annotations.NullMarked;
