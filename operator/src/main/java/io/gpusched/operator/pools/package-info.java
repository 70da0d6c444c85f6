/// Pools as custom resources: AgentPool, AgentClass, Model and ToolBinding of the group
/// `neuronetes.io` are put to the scheduler, and what it says about them becomes their status.
///
/// Read [io.gpusched.operator.pools.PoolController] first, then
/// [io.gpusched.operator.pools.Manifests] and [io.gpusched.operator.pools.PoolStatus].
///
/// The scheduler translates manifests and decides sizes; nothing here may. Pods are created
/// elsewhere, for the jobs that replicas are.
///
///     kubectl apply -f pool.yaml  →  POST /api/v1/apply  →  kubectl get agentpools
@NullMarked
package io.gpusched.operator.pools;

import org.jspecify.annotations.NullMarked;
