/// Tests of the pool of the demo.
@NullMarked
package io.gpusched.demo.pool;

import org.jspecify.annotations.NullMarked;
