/// Scaling laws on recorded requests to language models: the traces, the pool of the comparison,
/// and its results.
///
/// Read [PoolExperiment] first. The run of a pool on the production core and the laws of other
/// systems are in `sim.pools`.
@NullMarked
package io.gpusched.lab.pools;

import org.jspecify.annotations.NullMarked;
