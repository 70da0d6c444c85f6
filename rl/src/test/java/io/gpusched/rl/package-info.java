/// Tests of the environment against published and recorded numbers.
@NullMarked
package io.gpusched.rl;

import org.jspecify.annotations.NullMarked;
