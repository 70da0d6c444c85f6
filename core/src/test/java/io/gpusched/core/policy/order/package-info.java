/// Tests of queue orders.
@NullMarked
package io.gpusched.core.policy.order;

import org.jspecify.annotations.NullMarked;
