/// Simulated time: a heap of happenings drives a real cell; simulated agents run simulated tasks.
///
/// Read [io.gpusched.sim.Simulation] first, then [io.gpusched.sim.SimulatedAgent]. The scheduler
/// under test is the one that runs in production; only time, the agents and the jobs are made up
/// here. No real clock, no thread and no network is ever used, and everything that looks like
/// chance follows from the seed.
///
///     heap ──▶ all happenings of one instant ──▶ Cell.handle ──▶ assignments ──▶ agents ──▶ heap
@NullMarked
package io.gpusched.sim;

import org.jspecify.annotations.NullMarked;
