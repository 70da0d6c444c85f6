/// Workloads made by chance that follow from a seed: when jobs come, how long they run, how much
/// they ask for.
///
/// Read [io.gpusched.sim.generate.Arrivals] first: streams of arrivals as values. The benchmark's
/// jobs ([io.gpusched.sim.generate.BenchmarkWorkload]) are drawn from
/// [io.gpusched.sim.generate.RandomStream], which gives the numbers of another program's generator
/// bit for bit, so that tables published with it come out here. Nothing here knows a policy.
@NullMarked
package io.gpusched.sim.generate;

import org.jspecify.annotations.NullMarked;
