/// Tests of learned runtimes, most of them in small worlds whose true runtimes are known.
@NullMarked
package io.gpusched.core.learn.runtime;

import org.jspecify.annotations.NullMarked;
