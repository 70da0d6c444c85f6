/// Tests of the environment over any workload.
@NullMarked
package io.gpusched.rl.cluster;

import org.jspecify.annotations.NullMarked;
