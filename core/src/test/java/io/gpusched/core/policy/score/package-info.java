/// Tests of the scorers, through a whole engine: what counts is where tasks go.
@NullMarked
package io.gpusched.core.policy.score;

import org.jspecify.annotations.NullMarked;
