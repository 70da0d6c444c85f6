/// Tests of what the benches of whole processes are made of.
@NullMarked
package io.gpusched.bench.server;

import org.jspecify.annotations.NullMarked;
