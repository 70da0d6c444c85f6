/// Tests of the detection of idle GPUs.
@NullMarked
package io.gpusched.server.idle;

import org.jspecify.annotations.NullMarked;
