/// Tests of the start estimates.
@NullMarked
package io.gpusched.server.forecast;

import org.jspecify.annotations.NullMarked;
