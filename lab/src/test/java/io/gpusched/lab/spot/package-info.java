/// Tests of the experiments with spot capacity.
@NullMarked
package io.gpusched.lab.spot;

import org.jspecify.annotations.NullMarked;
