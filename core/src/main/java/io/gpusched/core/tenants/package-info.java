/// The tenants: their tree, what each holds now and held lately, and the share of the cluster that
/// follows from it.
///
/// Read `TenantLedger` first; only `core.state` changes it, all others read it as
/// [io.gpusched.core.tenants.Tenants]. `ClusterShares` compares tenants for fair share, and
/// `FairShareReport` explains the result. Which job comes next is not decided here but in
/// `core.queue`; nodes are known only as their total [io.gpusched.core.model.Capacity].
///
///     team-a (weight 2) holds 40 of 100 GPUs, held 30 % lately   →   share 0.35, turn key 0.175
@NullMarked
package io.gpusched.core.tenants;

import org.jspecify.annotations.NullMarked;
