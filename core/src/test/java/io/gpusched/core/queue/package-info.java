/// Tests of the queue of waiting jobs.
@NullMarked
package io.gpusched.core.queue;

import org.jspecify.annotations.NullMarked;
