/// The ledger: all that the cell knows, in dense mutable form, with one owner. It joins nodes,
/// tenants and the queue with jobs, claims and agents; other code reads it through views.
///
/// Read [io.gpusched.core.state.ClusterState] first. Its `apply` is the only way state changes; a
/// [io.gpusched.core.nodes.Trial] changes it too, but undoes every change. No rule decides here.
///
///     state.apply(AttemptPlaced job-7 on n1[0-3])   →   n1: 4 GPUs fewer, team-a: 4 GPUs more
@NullMarked
package io.gpusched.core.state;

import org.jspecify.annotations.NullMarked;
