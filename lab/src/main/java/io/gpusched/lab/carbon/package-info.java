/// A published experiment, repeated: how much carbon is saved by shifting jobs in time.
///
/// Read [io.gpusched.lab.carbon.Shifting] first. The choice of slots is
/// [io.gpusched.core.policy.gate.CarbonForecast] of the production core; here are the readers of
/// the published files, the deadlines of the experiment, and its tables.
@NullMarked
package io.gpusched.lab.carbon;

import org.jspecify.annotations.NullMarked;
