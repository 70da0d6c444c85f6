/// The cell: an engine with its journal, launcher and listener. The server and the simulator run
/// the same one.
///
/// Read [io.gpusched.core.cell.Cell] first: its `handle` is the whole path of a scheduling
/// decision. Nothing leaves a cell before the journal has it. No scheduling rule and no I/O is
/// here: the journal and the launcher are interfaces.
///
///     inputs → answer → apply → turns → append → (durable) → launch, listen, answer
@NullMarked
package io.gpusched.core.cell;

import org.jspecify.annotations.NullMarked;
