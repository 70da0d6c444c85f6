/// The one thread that owns the cell, and the one that follows it.
///
/// Read [io.gpusched.server.cell.CellThread] first, then [io.gpusched.server.cell.Follower].
/// Requests hand their input in through an [io.gpusched.server.cell.CommandGateway] and get their
/// answer when its batch is durable *and* the follower has it, so that people read their own
/// writes. Nothing here knows HTTP, SQL or agents.
///
///     ask ─▶ inbox ─▶ cell thread ─▶ journal ─▶ follower thread ─▶ view published ─▶ answered
@NullMarked
package io.gpusched.server.cell;

import org.jspecify.annotations.NullMarked;
