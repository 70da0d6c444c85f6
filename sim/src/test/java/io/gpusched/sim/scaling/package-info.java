/// Tests of what other laws would have done with recorded load.
@NullMarked
package io.gpusched.sim.scaling;

import org.jspecify.annotations.NullMarked;
