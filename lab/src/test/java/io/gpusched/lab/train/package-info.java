/// Tests of training runs in the lab.
@NullMarked
package io.gpusched.lab.train;

import org.jspecify.annotations.NullMarked;
