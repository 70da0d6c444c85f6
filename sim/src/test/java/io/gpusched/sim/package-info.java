/// Simulations as tests: goldens, oracles, and properties over seeded random workloads.
///
/// Read [io.gpusched.sim.GoldenTest] and [io.gpusched.sim.PropertyRunner] first.
@NullMarked
package io.gpusched.sim;

import org.jspecify.annotations.NullMarked;
