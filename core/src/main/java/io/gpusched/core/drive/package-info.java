/// Simulated time: one loop that drives a cell in every simulation, replay and forecast.
///
/// Read [io.gpusched.core.drive.Driver] first. It moves time to the next instant at which something
/// happens, passes the inputs of that instant to the cell, and lets the cell decide. The cell is
/// the one that runs in production. A [io.gpusched.core.drive.SimulatedCluster] says what happens
/// when. The simplest one is here ([io.gpusched.core.drive.InstantCluster]: tasks start and stop at
/// once), others are in the module `sim`. [io.gpusched.core.cell.Cell#detached] makes a cell
/// without a journal and without nodes.
///
///     EventQueue ──▶ SimulatedCluster ─inputs─▶ Driver ──▶ Cell
///          ▲                 ▲                               │
///          └──── plans ──────┴────────── batches ◄───────────┘
///
/// Nothing here makes a scheduling decision.
@NullMarked
package io.gpusched.core.drive;

import org.jspecify.annotations.NullMarked;
