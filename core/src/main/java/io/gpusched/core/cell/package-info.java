/// The one middle shared by the server and the simulator, and its three ports.
///
/// Read [io.gpusched.core.cell.Cell] first: its `handle` is the whole path of a scheduling
/// decision. Nothing leaves a cell before the journal has it.
///
///     inputs → answer → apply → turns → append → (durable) → launch, listen, answer
@NullMarked
package io.gpusched.core.cell;

import org.jspecify.annotations.NullMarked;
