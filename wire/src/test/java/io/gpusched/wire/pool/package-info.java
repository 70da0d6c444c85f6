/// Tests of the documents of pools.
@NullMarked
package io.gpusched.wire.pool;

import org.jspecify.annotations.NullMarked;
