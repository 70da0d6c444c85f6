/// Tests of simulated time.
@NullMarked
package io.gpusched.core.drive;

import org.jspecify.annotations.NullMarked;
