/// Tests of the benches themselves: that they run and write what they found, never how fast.
@NullMarked
package io.gpusched.bench;

import org.jspecify.annotations.NullMarked;
