/// Tests of the scheduler itself.
@NullMarked
package io.gpusched.core.engine;

import org.jspecify.annotations.NullMarked;
