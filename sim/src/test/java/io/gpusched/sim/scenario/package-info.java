/// Tests of how scenarios are written and drawn.
@NullMarked
package io.gpusched.sim.scenario;

import org.jspecify.annotations.NullMarked;
