/// The nodes of the cluster: what each has, what is free on it, and an index to search them by.
///
/// Read [io.gpusched.core.nodes.NodeView] first: it is a node as rules see it. `NodeLedger` keeps
/// the nodes; only `core.state` changes it, all others read it as
/// [io.gpusched.core.nodes.IndexedNodes] or, through claims, as
/// [io.gpusched.core.nodes.ShownNodes]. A [io.gpusched.core.nodes.Trial] changes nodes for a
/// moment and undoes every change. Jobs, tenants and the queue are not known here.
///
///     n1, 8 GPUs, 2 held by job-7, 4 claimed for job-9
///       in the ledger: 2 free · shown to job-9: 6 free · shown to job-8: 2 free
@NullMarked
package io.gpusched.core.nodes;

import org.jspecify.annotations.NullMarked;
