/// Tests of the metrics.
@NullMarked
package io.gpusched.server.metrics;

import org.jspecify.annotations.NullMarked;
