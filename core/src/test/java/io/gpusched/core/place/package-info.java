/// Tests of finding places for tasks.
@NullMarked
package io.gpusched.core.place;

import org.jspecify.annotations.NullMarked;
