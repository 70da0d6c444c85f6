/// Which jobs are evicted for others.
@NullMarked
package io.gpusched.core.policy.preempt;

import org.jspecify.annotations.NullMarked;
