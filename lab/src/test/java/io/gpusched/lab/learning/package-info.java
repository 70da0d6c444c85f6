/// What learning is worth, on traces small enough to work out by hand.
@NullMarked
package io.gpusched.lab.learning;

import org.jspecify.annotations.NullMarked;
