/// Tests of what is written down.
@NullMarked
package io.gpusched.bench.report;

import org.jspecify.annotations.NullMarked;
