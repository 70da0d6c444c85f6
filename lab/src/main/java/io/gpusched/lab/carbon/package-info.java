/// What shifting jobs in time saves in carbon: a published experiment, rerun.
///
/// Read [io.gpusched.lab.carbon.Shifting] first. The choice of slots is
/// [io.gpusched.core.policy.gate.Intensity] of the production core; here are the readers of the
/// published files, the deadlines of the experiment, and its tables.
@NullMarked
package io.gpusched.lab.carbon;

import org.jspecify.annotations.NullMarked;
