/// Benches of the core alone, without sockets, disks or other threads.
///
/// The classes with JMH's annotations ([io.gpusched.bench.core.QueuePairs],
/// [io.gpusched.bench.core.Submissions], [io.gpusched.bench.core.Placements],
/// [io.gpusched.bench.core.ScoredPlacements]) hold what is measured; those ending in `Bench` say
/// how often and compare with the targets.
@NullMarked
package io.gpusched.bench.core;

import org.jspecify.annotations.NullMarked;
