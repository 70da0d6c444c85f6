/// Tests of the comparison of scaling laws.
@NullMarked
package io.gpusched.lab.pools;

import org.jspecify.annotations.NullMarked;
