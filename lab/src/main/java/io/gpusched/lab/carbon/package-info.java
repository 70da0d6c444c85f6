/// Published experiments, repeated: how much carbon is saved by shifting jobs in time, and by
/// using more nodes while power is clean.
///
/// Read [io.gpusched.lab.carbon.Shifting] first, then [io.gpusched.lab.carbon.ScalerJob]. The
/// choice of slots is [io.gpusched.core.model.CarbonForecast], that of nodes
/// [io.gpusched.core.policy.gate.CarbonSchedule] of the production core; here are the readers of
/// the published files, the deadlines of the experiment, and its tables.
@NullMarked
package io.gpusched.lab.carbon;

import org.jspecify.annotations.NullMarked;
