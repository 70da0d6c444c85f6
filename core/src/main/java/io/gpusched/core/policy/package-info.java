/// What may be decided by rule: seven small interfaces, one class per rule in the packages below,
/// and the values that explain every answer.
///
/// Read [io.gpusched.core.policy.Policy] first. Rules see views and the time they are given; they
/// hold no state of their own, read no clock and write nothing.
///
///     order picks the job → gates → filters → fitter → scorers → perhaps the preemptor
@NullMarked
package io.gpusched.core.policy;

import org.jspecify.annotations.NullMarked;
