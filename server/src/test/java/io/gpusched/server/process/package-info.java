/// Tests that run the scheduler as a process with little of something.
@NullMarked
package io.gpusched.server.process;

import org.jspecify.annotations.NullMarked;
