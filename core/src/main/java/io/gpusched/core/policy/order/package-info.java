/// Queue orders: which waiting job is tried first. Each gives a job a key that does not change
/// while it waits, so nothing is ever sorted again because time passed. Read
/// [io.gpusched.core.policy.order.PriorityOrder] first. An order must not look at nodes.
@NullMarked
package io.gpusched.core.policy.order;

import org.jspecify.annotations.NullMarked;
