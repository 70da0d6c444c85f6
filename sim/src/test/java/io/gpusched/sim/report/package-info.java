/// Tests of figures.
@NullMarked
package io.gpusched.sim.report;

import org.jspecify.annotations.NullMarked;
