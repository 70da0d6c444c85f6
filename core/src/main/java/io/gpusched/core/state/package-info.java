/// The ledger: what the cell knows, kept in dense mutable form by one owner, and shown to everyone
/// else through views that never change it.
///
/// Read [io.gpusched.core.state.ClusterState] first. Its `apply` is the only way state changes; a
/// [io.gpusched.core.nodes.Trial] changes it too, but always takes everything back. No rule decides
/// here.
///
///     state.apply(AttemptPlaced job-7 on n1[0-3])   →   n1: 4 GPUs fewer, team-a: 4 GPUs more
@NullMarked
package io.gpusched.core.state;

import org.jspecify.annotations.NullMarked;
