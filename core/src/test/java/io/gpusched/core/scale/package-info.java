/// Tests of the scaling laws and of the limits of scaling.
@NullMarked
package io.gpusched.core.scale;

import org.jspecify.annotations.NullMarked;
