/// Simulated time: one loop that drives a cell, whatever the experiment around it is.
///
/// Read [io.gpusched.core.drive.Driver] first. It moves time to the next instant at which something
/// happens, tells the cell, and lets it decide; the cell is the one that runs in production. What
/// happens is up to a [io.gpusched.core.drive.SimulatedCluster]. The simplest one is here
/// ([io.gpusched.core.drive.InstantCluster]: tasks start and stop at once), richer ones are in the
/// module `sim`. An experiment leaves out a journal and nodes with
/// [io.gpusched.core.cell.Cell#detached].
///
///     EventQueue ──▶ SimulatedCluster ──tell──▶ Driver ──▶ Cell
///          ▲                 ▲                               │
///          └──── plans ──────┴────────── batches ◄───────────┘
///
/// Nothing here makes a scheduling decision.
@NullMarked
package io.gpusched.core.drive;

import org.jspecify.annotations.NullMarked;
