/// Tests of evolution strategies.
@NullMarked
package io.gpusched.rl.evolve;

import org.jspecify.annotations.NullMarked;
