/// Tests of the figures by which runs are compared.
@NullMarked
package io.gpusched.sim.metrics;

import org.jspecify.annotations.NullMarked;
