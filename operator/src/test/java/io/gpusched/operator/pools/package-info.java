/// Tests of pools as custom resources.
@NullMarked
package io.gpusched.operator.pools;

import org.jspecify.annotations.NullMarked;
