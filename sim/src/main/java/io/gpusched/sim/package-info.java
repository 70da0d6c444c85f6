/// Scenarios in simulated time: simulated agents run simulated tasks around a real cell.
///
/// Read [io.gpusched.sim.Simulation] first, then [io.gpusched.sim.SimulatedAgent]. The scheduler
/// under test is the one that runs in production; only time, the agents and the jobs are made up
/// here. No real clock, no thread and no network is ever used, and everything that looks like
/// chance follows from the seed.
///
/// The loop itself is [io.gpusched.core.drive.Driver], which everything in simulated time shares.
///
///     queue ──▶ all events of one instant ──▶ Cell ──▶ assignments ──▶ agents ──▶ queue
@NullMarked
package io.gpusched.sim;

import org.jspecify.annotations.NullMarked;
