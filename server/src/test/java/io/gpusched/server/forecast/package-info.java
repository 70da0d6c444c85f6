/// Tests of when waiting jobs are said to start.
@NullMarked
package io.gpusched.server.forecast;

import org.jspecify.annotations.NullMarked;
