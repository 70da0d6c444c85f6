/// Assignment of many jobs to many kinds of GPUs at once, at the lowest total cost within capacity.
///
/// Read [io.gpusched.core.learn.assign.Sinkhorn] first. The package knows costs and capacities
/// only; what a cost means is up to the caller. It must not know jobs or nodes.
///
///     costs 1 9 / 9 1, one place each   →   the first job to the first, the second to the second
@NullMarked
package io.gpusched.core.learn.assign;

import org.jspecify.annotations.NullMarked;
