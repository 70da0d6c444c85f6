/// Benchmarks of the scheduler, with results in `docs/results`.
///
/// Read [io.gpusched.bench.Main] first, then one [io.gpusched.bench.Bench]. Benches in
/// [io.gpusched.bench.core] run the core alone, under JMH; those in [io.gpusched.bench.server]
/// start the real launchers and talk to them over sockets. Nothing here is part of the scheduler,
/// and no figure is part of `mvn verify`: a shared machine has no steady clock.
///
///     bin/bench queue placement      # measures two, and updates their part of
/// docs/results/spine.md
@NullMarked
package io.gpusched.bench;

import org.jspecify.annotations.NullMarked;
