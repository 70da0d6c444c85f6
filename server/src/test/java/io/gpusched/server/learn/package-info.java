/// Tests of scoring with many threads at once.
@NullMarked
package io.gpusched.server.learn;

import org.jspecify.annotations.NullMarked;
