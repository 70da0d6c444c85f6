/// Tests of what is learned: the thirty behaviours of the published scheduler agent, at once.
@NullMarked
package io.gpusched.core.learn;

import org.jspecify.annotations.NullMarked;
