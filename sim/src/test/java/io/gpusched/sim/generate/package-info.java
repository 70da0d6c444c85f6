/// Tests of what is drawn by chance.
@NullMarked
package io.gpusched.sim.generate;

import org.jspecify.annotations.NullMarked;
