/// Filters: reasons why a task may not go to a node. Each sees only the shape and the node, which
/// is what makes "refused once per cycle" true. Read [io.gpusched.core.policy.filter.TooHot] first.
@NullMarked
package io.gpusched.core.policy.filter;

import org.jspecify.annotations.NullMarked;
