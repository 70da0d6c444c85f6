/// The ledger: the cell's state in dense mutable form, with one owner, and read-only views of it
/// for all others.
///
/// Read [io.gpusched.core.state.ClusterState] first. Its `apply` is the only way state changes; a
/// [io.gpusched.core.state.Trial] changes it too, but always undoes everything. No scheduling rule
/// may live here.
///
///     state.apply(AttemptPlaced job-7 on n1[0-3])   →   n1: 4 GPUs fewer, team-a: 4 GPUs more
@NullMarked
package io.gpusched.core.state;

import org.jspecify.annotations.NullMarked;
