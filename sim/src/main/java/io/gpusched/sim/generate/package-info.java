/// The random number generators of other programs, number for number, and the workload of a
/// published benchmark.
///
/// Read [io.gpusched.sim.generate.BenchmarkWorkload] first: jobs that follow from a seed, for the
/// learning environment and, as arrivals, for any simulation.
/// [io.gpusched.sim.generate.RandomStream] and [io.gpusched.sim.generate.PermutedStream] exist so
/// that published tables come out here; what is our own draws from
/// [io.gpusched.sim.scenario.SeededRandom]. Nothing here knows a policy.
@NullMarked
package io.gpusched.sim.generate;

import org.jspecify.annotations.NullMarked;
