/// The thread that owns the cell, the inbox in front of it, and the followers behind it.
///
/// Read [io.gpusched.server.cell.CellThread] first, then [io.gpusched.server.cell.Follower].
/// Requests send their input through a [io.gpusched.server.cell.CommandGateway] and get the answer
/// when its batch is durable *and* the follower has applied it, so that users read their own
/// writes. Nothing here knows HTTP, SQL or agents.
///
///     ask ─▶ inbox ─▶ cell thread ─▶ journal ─▶ follower thread ─▶ view published ─▶ answered
@NullMarked
package io.gpusched.server.cell;

import org.jspecify.annotations.NullMarked;
