/// Tiny runs of the benches of the core.
@NullMarked
package io.gpusched.bench.core;

import org.jspecify.annotations.NullMarked;
