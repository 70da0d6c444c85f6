/// Placement search: slots for all tasks of a job at once, or the victims that must be preempted
/// for it.
///
/// Read [io.gpusched.core.place.Placer] first. [io.gpusched.core.place.NodeSearch] finds nodes,
/// [io.gpusched.core.place.GangTrial] places the tasks of a gang together,
/// [io.gpusched.core.place.GangCapacity] counts where counting is enough. Nothing here may change
/// the ledger except in a trial, which is undone.
@NullMarked
package io.gpusched.core.place;

import org.jspecify.annotations.NullMarked;
