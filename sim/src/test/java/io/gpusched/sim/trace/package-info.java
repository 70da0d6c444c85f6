/// Tests of trace readers, on the samples that ship with the project.
@NullMarked
package io.gpusched.sim.trace;

import org.jspecify.annotations.NullMarked;
