/// Tests of what a model sees of the queue.
@NullMarked
package io.gpusched.core.policy.learned;

import org.jspecify.annotations.NullMarked;
