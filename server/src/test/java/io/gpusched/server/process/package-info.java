/// Tests that run the scheduler as a process with little memory or few open files.
@NullMarked
package io.gpusched.server.process;

import org.jspecify.annotations.NullMarked;
