/// Tests of the placement search.
@NullMarked
package io.gpusched.core.place;

import org.jspecify.annotations.NullMarked;
