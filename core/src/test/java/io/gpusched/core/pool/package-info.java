/// Tests of what is known of a pool's load.
@NullMarked
package io.gpusched.core.pool;

import org.jspecify.annotations.NullMarked;
