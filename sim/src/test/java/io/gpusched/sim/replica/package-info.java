/// Tests of the replica world.
@NullMarked
package io.gpusched.sim.replica;

import org.jspecify.annotations.NullMarked;
