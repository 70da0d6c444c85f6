/// A pool on the production core with simulated replicas beside it, and the laws of other systems.
///
/// Read [PoolRun] first. The laws of this project are in `core.scale`; those here exist for
/// comparisons only.
@NullMarked
package io.gpusched.sim.pools;

import org.jspecify.annotations.NullMarked;
