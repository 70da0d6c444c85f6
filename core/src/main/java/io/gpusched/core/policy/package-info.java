/// The scheduling rules: seven small interfaces, one class per rule in the packages below, and the
/// values that explain every answer.
///
/// Read [io.gpusched.core.policy.Policy] first. Rules see views and the time they are given; they
/// must not hold state of their own, read a clock or write anything.
///
/// A policy may also have a [io.gpusched.core.policy.HeadRanker]: a model that ranks the first jobs
/// of the queue by the state of the cluster.
///
///     order picks the job → gates → filters → fitter → scorers → perhaps the preemptor
@NullMarked
package io.gpusched.core.policy;

import org.jspecify.annotations.NullMarked;
