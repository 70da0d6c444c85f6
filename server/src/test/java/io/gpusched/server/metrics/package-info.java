/// Tests of what is counted and timed.
@NullMarked
package io.gpusched.server.metrics;

import org.jspecify.annotations.NullMarked;
