/// Tests of what is learned of run times, most of them in small worlds whose truth is known.
@NullMarked
package io.gpusched.core.learn.runtime;

import org.jspecify.annotations.NullMarked;
