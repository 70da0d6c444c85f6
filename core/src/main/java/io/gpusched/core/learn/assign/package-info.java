/// Many jobs to many kinds of GPUs at once: plans of least cost that respect what there is.
///
/// Read [io.gpusched.core.learn.assign.Sinkhorn] first. It knows costs and capacities and nothing
/// else; what a cost means is its caller's business.
///
///     costs 1 9 / 9 1, one place each   →   the first job to the first, the second to the second
@NullMarked
package io.gpusched.core.learn.assign;

import org.jspecify.annotations.NullMarked;
