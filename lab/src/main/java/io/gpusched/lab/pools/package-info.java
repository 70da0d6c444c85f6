/// Scaling laws on recorded requests to language models: the traces, the laws of other systems, the
/// run of a pool on the production core, and its results.
///
/// Read [PoolRun] first. The laws of this project are in `core.scale`; those here exist for the
/// comparison only.
@NullMarked
package io.gpusched.lab.pools;

import org.jspecify.annotations.NullMarked;
