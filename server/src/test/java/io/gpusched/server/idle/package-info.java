/// Tests of who is said to waste GPUs, and when.
@NullMarked
package io.gpusched.server.idle;

import org.jspecify.annotations.NullMarked;
