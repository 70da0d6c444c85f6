/// Filters: rules that refuse nodes for a task. Each sees only the shape and the node, which is why
/// a cycle needs to refuse a shape only once. Read [io.gpusched.core.policy.filter.TooHot] first. A
/// filter must not look at the job or the queue.
@NullMarked
package io.gpusched.core.policy.filter;

import org.jspecify.annotations.NullMarked;
